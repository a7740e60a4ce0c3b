import { type App, openApp } from '../app/app.ts';
import { loadAppConfig } from '../app/load-config.ts';
import type { AppOptions } from '../app/open-parts.ts';
import { selectSyncs } from '../config/select.ts';
import type { Config, SyncConfig } from '../config/types.ts';
import { CodedError } from '../core/errors.ts';
import type { CommandContext } from './command.ts';

type Opening = Pick<CommandContext, 'environment' | 'log'>;

/**
 * Opens the app of a config, acts on it, and closes it.
 * @throws CodedError as `openApp` does
 */
export async function withApp<Result>(
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
  return withApp(config, opening, (app) => action(app, sync), options);
}

/**
 * The same for the sync of a past run.
 * @throws ConfigError; CodedError FF_RUN_UNKNOWN, FF_SYNC_UNKNOWN if the config has its sync no longer, and as `openApp` does
 */
export async function withRun<Result>(
  run: string,
  opening: Opening,
  action: (app: App, sync: SyncConfig) => Promise<Result>,
): Promise<Result> {
  return withApp(loadAppConfig(opening.environment), opening, async (app) => {
    const past = await app.ledger.pastRuns.find(run);
    if (!past) throw new CodedError('FF_RUN_UNKNOWN', `The ledger has no run "${run}".`);
    const sync = app.config.syncs.find(({ name }) => name === past.sync);
    if (!sync)
      throw new CodedError('FF_SYNC_UNKNOWN', `${run} is a run of "${past.sync}", which is not in the config.`);
    return action(app, sync);
  });
}
