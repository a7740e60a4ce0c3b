import type { z } from 'zod';
import type { Action, Actor } from './action.ts';
import { actionsOfRecords } from './of-records.ts';
import { actionsOfRuns } from './of-runs.ts';
import { actionsOfSyncs } from './of-syncs.ts';

/** Everything that people and programs can do. The endpoints and forms of the console and the options of commands follow from it. */
export const actions = { ...actionsOfSyncs, ...actionsOfRecords, ...actionsOfRuns };

export type ActionName = keyof typeof actions;

/** What an action is told: what it is about, and its input. */
export type GivenTo<Name extends ActionName> = Parameters<(typeof actions)[Name]['act']>[0];
export type ResponseOf<Name extends ActionName> = z.output<(typeof actions)[Name]['response']>;

/** Performs an action. */
export type Act = <Name extends ActionName>(
  name: Name,
  given: GivenTo<Name>,
  actor: Actor,
) => Promise<ResponseOf<Name>>;

/** An action whose input is only known at run time. */
export type AnyAction = Action<Record<string, string>, z.ZodObject, z.ZodType>;
