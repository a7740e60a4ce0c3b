import { type App, openApp } from '../app/app.ts';
import { loadAppConfig } from '../app/load-config.ts';
import type { AppOptions } from '../app/open-parts.ts';
import { selectSyncs } from '../config/select.ts';
import type { Config, SyncConfig } from '../config/types.ts';
import { CodedError } from '../core/errors.ts';
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
  const config = loadAppConfig(opening.environment);
  const [sync] = selectSyncs(config, [name]) as [SyncConfig];
  return withAppOf(config, opening, (app) => action(app, sync), options);
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
  const past = await ledger.pastRuns.find(run);
  if (!past) throw new CodedError('FF_RUN_UNKNOWN', `The ledger has no run "${run}".`);
  const sync = config.syncs.find(({ name }) => name === past.sync);
  if (!sync) throw new CodedError('FF_SYNC_UNKNOWN', `${run} is a run of "${past.sync}", which is not in the config.`);
  return sync;
}
