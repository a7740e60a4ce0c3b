import { z } from 'zod';
import { orphanSync } from '../../config/orphan-sync.ts';
import { syncNamed, syncNames } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import type { ViewerRole } from '../../core/access/person.ts';
import type { RunReport } from '../../core/run.ts';
import type { Asked, RunContext, RunRequest } from '../../sync/context/run-context.ts';
import type { App } from '../app.ts';

/** The person or program that acts, for the history. */
export interface Actor {
  /** The name given at log-in, or the user of the machine. */
  name: string;
  via: 'console' | 'api' | 'cli';
}

/** The run that an action began, or that was in progress and that the action joined. */
export interface Begun {
  run: string;
  started: boolean;
}

/** Performs a run; undefined: there was nothing to do. */
export type StartRun = (
  context: RunContext,
  request: RunRequest,
) => Promise<RunReport | { is: 'theirs'; run: string } | undefined>;

/** What an action works with. Each face begins runs in its way: a command waits for the end, a service does not. */
export interface ActionContext {
  app: Pick<App, 'config' | 'ledger' | 'contextOf'> & { alerts: Pick<App['alerts'], 'test'> };
  actor: Actor;
  begin(sync: SyncConfig, asked: Omit<Asked, 'by' | 'via'>, start: StartRun): Promise<Begun>;
  /** Does something that nobody waits for, once at a time for each sync. */
  inBackground(sync: SyncConfig, work: (context: RunContext) => Promise<unknown>): void;
}

/** Something that people and programs can do: an endpoint, a form and a command follow from it. */
export interface ActionDefinition<Given, Input extends z.ZodObject, Response extends z.ZodType> {
  /** Address of the endpoint without `/api`, and of the form; the parameter names what it is about. */
  path: string;
  role: ViewerRole;
  /** The command that does the same. */
  command: string;
  summary: string;
  /** What the page says after its form. */
  done: string;
  input: Input;
  /** Members of the input that programs and forms have to give; a command shows or asks instead. */
  needs?: ReadonlyArray<keyof z.output<Input>>;
  /** Whether programs and forms have to confirm with the name of the sync; a command asks for it. */
  confirms?: boolean;
  response: Response;
  /** Page that its form leads to if it begins no run; absent: the address of the form. */
  leadsTo?: string;
  act(given: Given & Filled<Input>, context: ActionContext): Promise<z.input<Response>>;
}

/** The input of an action; of most it has members. */
type Filled<Input extends z.ZodObject> = keyof Input['shape'] extends never ? unknown : z.output<Input>;

/** Defines an action about a sync. */
export function ofSync<Input extends z.ZodObject, Response extends z.ZodType = typeof begun>(
  action: Defined<{ sync: string }, Input, Response>,
): ActionDefinition<{ sync: string }, Input, Response> {
  return defined(action);
}

/** Defines an action about a run. */
export function ofRun<Input extends z.ZodObject, Response extends z.ZodType = typeof begun>(
  action: Defined<{ run: string }, Input, Response>,
): ActionDefinition<{ run: string }, Input, Response> {
  return defined(action);
}

/** Defines an action about no sync in particular. */
export function ofSite<Input extends z.ZodObject, Response extends z.ZodType>(
  action: Defined<object, Input, Response>,
): ActionDefinition<object, Input, Response> {
  return defined(action);
}

/** Without a response, the action begins a run. */
type Defined<Given, Input extends z.ZodObject, Response extends z.ZodType> = Omit<
  ActionDefinition<Given, Input, Response>,
  'response'
> & { response?: Response };

function defined<Given, Input extends z.ZodObject, Response extends z.ZodType>(
  action: Defined<Given, Input, Response>,
): ActionDefinition<Given, Input, Response> {
  return { response: begun as unknown as Response, ...action };
}

/** The response of an action that begins a run. */
export const begun = z.object({
  run: z.string(),
  started: z.boolean().describe('false: a run in progress was joined'),
});

export const name = z.string().min(1);
export const reason = z
  .string()
  .trim()
  .min(1, 'Enter a reason.')
  .max(1000, 'Enter a shorter reason.')
  .describe('why, for the history');
export const note = z
  .string()
  .trim()
  .max(1000, 'Enter a shorter note.')
  .describe('the reason, stored with the answers');
export const keys = z.array(name).min(1, 'Select a record.').max(1000).describe('keys of the records');
export const nothing = z.strictObject({});
export const ofItself = z.object({ sync: z.string() });

/** Who acts, for the history. */
export function by({ name, via }: Actor): Pick<Asked, 'by' | 'via'> {
  return { by: name, via };
}

/** @throws CodedError FF_RUN_UNKNOWN, FF_SYNC_UNKNOWN */
export async function syncOfRun(run: string, { config, ledger }: ActionContext['app']): Promise<SyncConfig> {
  return syncNamed((await ledger.runs.get(run)).sync, config);
}

/**
 * Returns a sync, even if it is no longer in the config and only the ledger knows it.
 * @throws CodedError FF_SYNC_UNKNOWN
 */
export async function syncOrOrphan(sync: string, { config, ledger }: ActionContext['app']): Promise<SyncConfig> {
  const names = syncNames(config);
  const orphans = names.includes(sync) ? [] : await ledger.records.orphans(names);
  const orphan = orphans.find((each) => each.sync === sync);
  return orphan ? orphanSync(orphan, config) : syncNamed(sync, config);
}
