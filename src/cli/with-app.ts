import { type App, type AppOptions, openApp } from '../app/app.ts';
import { loadUsableAppConfig } from '../app/load-config.ts';
import { machineUser } from '../app/machine-user.ts';
import { orphanSync } from '../config/orphan-sync.ts';
import { syncNamed, syncNames } from '../config/select.ts';
import type { Config, SyncConfig } from '../config/types.ts';
import { CodedError } from '../core/errors.ts';
import type { RunReport } from '../core/run.ts';
import type { RunUnderWay } from '../ledger/runs/run-list.ts';
import type { Asked, RunRequest } from '../sync/context/run-context.ts';
import type { CommandContext } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { print, printJson } from './output/print.ts';
import { createProgressLine } from './output/progress.ts';
import { toRunResult } from './output/run-result.ts';
import { printRuns } from './output/run-tables.ts';
import { selectSync, warnOfBroken } from './select-sync.ts';
import { withLedger } from './with-ledger.ts';

/** Environment, log and the signal that stops the app, for opening it. */
type Opening = Pick<CommandContext, 'environment' | 'openLog'> & Partial<Pick<CommandContext, 'signal'>>;

/** A function that works on one sync and returns the exit code. */
type SyncAction = (app: App, sync: SyncConfig) => Promise<number>;

/**
 * Opens the app of a config for an action, then closes it.
 * @throws CodedError as `openApp` does
 */
export async function withApp<Result>(
  config: Config,
  { environment, openLog, signal }: Opening,
  action: (app: App) => Promise<Result>,
  options?: AppOptions,
): Promise<Result> {
  const app = await openApp(config, environment, await openLog(), { signal, ...options });
  try {
    return await action(app);
  } finally {
    await app.close();
  }
}

/**
 * Opens the app for one sync.
 * @throws ConfigError; CodedError FF_SYNC_UNKNOWN before anything is opened, and as `openApp` does
 */
export async function withSync(name: string, opening: Opening, action: SyncAction): Promise<number> {
  const { config, sync } = selectSync(name, opening.environment);
  return withApp(config, opening, (app) => action(app, sync));
}

/**
 * Opens the app for one sync, even if the sync is no longer in the config and only the ledger knows it.
 * @throws as `withSync`
 */
export async function withSyncOrOrphan(name: string, opening: Opening, action: SyncAction): Promise<number> {
  const { environment } = opening;
  const config = loadUsableAppConfig(environment);
  const names = syncNames(config);
  const orphans = names.includes(name) ? [] : await withLedger(environment, ({ records }) => records.orphans(names));
  const orphan = orphans.find(({ sync }) => sync === name);
  if (!orphan) return withSync(name, opening, action);
  warnOfBroken(config);
  const sync = orphanSync(orphan, config);
  // Other workers do not know the sync.
  const alone = { ...opening, environment: { ...environment, redisUrl: undefined } };
  return withApp({ ...config, syncs: [...config.syncs, sync] }, alone, (app) => action(app, sync));
}

/**
 * Opens the app for the sync of a run.
 * @throws ConfigError; CodedError FF_RUN_UNKNOWN, FF_SYNC_UNKNOWN if the config no longer has the sync, and as `openApp` does
 */
export function withRun(run: string, opening: Opening, action: SyncAction): Promise<number> {
  const config = loadUsableAppConfig(opening.environment);
  return withApp(config, opening, async (app) => {
    const past = await app.ledger.runs.get(run);
    if (!syncNames(config).includes(past.sync)) {
      const message = `Run ${run} belongs to the sync "${past.sync}", which is not in the config.`;
      throw new CodedError('FF_SYNC_UNKNOWN', message);
    }
    const sync = syncNamed(past.sync, config);
    warnOfBroken(config);
    return action(app, sync);
  });
}

/** How the run of a command is recorded and printed; by default, like the runs of `sync`. */
export interface CommandRun {
  /** Entry for the history, to which the user of this machine is added; if absent, the history has no entry. */
  asked?: Omit<Asked, 'by' | 'via'>;
  /** Message if there was nothing to do. */
  nothing?: string;
  /** Prints the progress every few seconds, also if standard error is piped. */
  isLong?: boolean;
  toJson?: (report: RunReport) => object;
  print?: (report: RunReport) => void;
}

/**
 * Performs a command's one run with a progress line and prints the result.
 * @returns the command's exit code
 */
export async function runAndPrint(
  { json, signal }: CommandContext,
  begin: (request: RunRequest) => Promise<RunReport | undefined>,
  {
    asked,
    nothing = '',
    isLong,
    toJson = toRunResult,
    print: printReport = (report) => printRuns([report]),
  }: CommandRun = {},
): Promise<number> {
  const progress = createProgressLine(process.stderr, { isLogged: isLong });
  const onWait = ({ sync, kind, run }: RunUnderWay) =>
    print(`${sync}: waiting for the ${kind} ${run} to finish`, process.stderr);
  const request = { signal, onWait, onProgress: progress.show, ...(asked && { asked: askedHere(asked) }) };
  const report = await begin(request).finally(progress.clear);
  const runs = report ? [report] : [];
  if (json) printJson({ runs: runs.map(toJson) });
  else if (report) printReport(report);
  else print(nothing);
  return exitCodeOf(runs);
}

/** Adds the user of this machine to an entry for the history. */
export function askedHere(asked: Omit<Asked, 'by' | 'via'>): Asked {
  return { ...asked, by: machineUser(), via: 'cli' };
}

/** Returns the exit code of a command that ran syncs: the worst run decides. */
export function exitCodeOf(runs: readonly RunReport[]): number {
  if (runs.some((run) => run.status === 'failed')) return EXIT.failed;
  if (runs.some((run) => run.status === 'partial' || run.status === 'held')) return EXIT.partial;
  return EXIT.success;
}
