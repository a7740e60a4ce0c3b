import { type App, openApp } from '../app/app.ts';
import type { Environment } from '../app/environment.ts';
import { loadAppConfig } from '../app/load-config.ts';
import type { AppOptions } from '../app/open-parts.ts';
import { selectSyncs } from '../config/select.ts';
import type { Config, SyncConfig } from '../config/types.ts';
import { CodedError } from '../core/errors.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { PastRun } from '../ledger/runs/run-list.ts';
import type { CommandContext } from './command.ts';

/** What it takes to open an app. */
type Opening = Pick<CommandContext, 'environment' | 'log'>;

/**
 * Does something with the app of the config, and closes it.
 * @throws ConfigError; CodedError as `openApp` does
 */
export function withApp<Result>(opening: Opening, action: (app: App) => Promise<Result>): Promise<Result> {
  return withAppOf(loadAppConfig(opening.environment), opening, action);
}

/**
 * The same for one sync.
 * @throws ConfigError; CodedError FF_SYNC_UNKNOWN before anything is opened, and as `openApp` does
 */
export async function withSync<Result>(
  name: string,
  opening: Opening,
  action: (app: App, sync: SyncConfig) => Promise<Result>,
  options?: AppOptions,
): Promise<Result> {
  const { config, sync } = selectSync(name, opening.environment);
  return withAppOf(config, opening, (app) => action(app, sync), options);
}

/**
 * Loads the config, for one of its syncs.
 * @throws ConfigError; CodedError FF_SYNC_UNKNOWN
 */
export function selectSync(name: string, environment: Environment): { config: Config; sync: SyncConfig } {
  const config = loadAppConfig(environment);
  const [sync] = selectSyncs(config, [name]) as [SyncConfig];
  return { config, sync };
}

/** The same for the config at hand. */
export async function withAppOf<Result>(
  config: Config,
  { environment, log }: Opening,
  action: (app: App) => Promise<Result>,
  options?: AppOptions,
): Promise<Result> {
  const app = await openApp(config, environment, log, options);
  try {
    return await action(app);
  } finally {
    await app.close();
  }
}

/**
 * The sync that a run is of.
 * @throws CodedError FF_RUN_UNKNOWN, FF_SYNC_UNKNOWN where the config does not have its sync any more
 */
export async function syncOfRun(run: string, { ledger, config }: App): Promise<SyncConfig> {
  const past = await findRun(run, ledger);
  const sync = config.syncs.find(({ name }) => name === past.sync);
  if (!sync) throw new CodedError('FF_SYNC_UNKNOWN', `${run} is a run of "${past.sync}", which is not in the config.`);
  return sync;
}

/** @throws CodedError FF_RUN_UNKNOWN */
export async function findRun(id: string, ledger: Ledger): Promise<PastRun> {
  const run = await ledger.pastRuns.find(id);
  if (!run) throw new CodedError('FF_RUN_UNKNOWN', `The ledger has no run "${id}".`);
  return run;
}

/** Does something with the ledger alone, and closes it. */
export async function withLedger<Result>(
  environment: Environment,
  action: (ledger: Ledger) => Promise<Result>,
): Promise<Result> {
  const ledger = await openLedger(environment);
  try {
    return await action(ledger);
  } finally {
    await ledger.close();
  }
}
