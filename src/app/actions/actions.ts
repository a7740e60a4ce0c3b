import type { z } from 'zod';
import type { ActionDefinition, Actor } from './action.ts';
import { actionsOfAlerts } from './of-alerts.ts';
import { actionsOfRecords } from './of-records.ts';
import { actionsOfRuns } from './of-runs.ts';
import { actionsOfSyncs } from './of-syncs.ts';

/** Everything that people and programs can do. The endpoints and forms of the console and the options of commands follow from it. */
export const actionTable = { ...actionsOfSyncs, ...actionsOfRecords, ...actionsOfRuns, ...actionsOfAlerts };

export type ActionName = keyof typeof actionTable;

/** What an action is told: what it is about, and its input. */
export type GivenTo<Name extends ActionName> = Parameters<(typeof actionTable)[Name]['act']>[0];
export type ResponseOf<Name extends ActionName> = z.output<(typeof actionTable)[Name]['response']>;

/** Performs an action. */
export type Act = <Name extends ActionName>(
  name: Name,
  given: GivenTo<Name>,
  actor: Actor,
) => Promise<ResponseOf<Name>>;

/** An action whose input is only known at run time. */
export type AnyAction = ActionDefinition<Record<string, string>, z.ZodObject, z.ZodType>;
