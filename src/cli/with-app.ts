import { type App, type AppOptions, openApp } from '../app/app.ts';
import type { Environment } from '../app/environment.ts';
import { loadUsableAppConfig } from '../app/load-config.ts';
import { describeProblem } from '../config/files/problems.ts';
import { orphanSync } from '../config/orphan-sync.ts';
import { selectSyncs } from '../config/select.ts';
import type { Config, SyncConfig } from '../config/types.ts';
import { CodedError } from '../core/errors.ts';
import type { RunReport } from '../core/run.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { PastRun } from '../ledger/runs/run-list.ts';
import type { RunRequest } from '../sync/context/run-context.ts';
import type { CommandContext } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { print, printJson } from './output/print.ts';
import { createProgressLine } from './output/progress.ts';
import { toRunResult } from './output/run-result.ts';
import { printRuns } from './output/run-tables.ts';

/** What opening an app needs. */
type Opening = Pick<CommandContext, 'environment' | 'log'>;

/** Works on one sync and returns the exit code. */
type SyncAction = (app: App, sync: SyncConfig) => Promise<number>;

/**
 * Opens the app of a config for an action, then closes it.
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
 * Opens the app for one sync.
 * @throws ConfigError; CodedError FF_SYNC_UNKNOWN before anything is opened, and as `openApp` does
 */
export async function withSync(name: string, opening: Opening, action: SyncAction, options?: AppOptions) {
  const { config, sync } = selectSync(name, opening.environment);
  return withApp(config, opening, (app) => action(app, sync), options);
}

/**
 * Opens the app for one sync, also for one that only the ledger still has.
 * @throws as `withSync`
 */
export async function withSyncOrOrphan(name: string, opening: Opening, action: SyncAction): Promise<number> {
  const { environment } = opening;
  const config = loadUsableAppConfig(environment);
  const names = [...config.syncs, ...config.broken].map((sync) => sync.name);
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
 * Selects a sync; the files of others may have mistakes, which are printed.
 * @throws ConfigError if its own file or feedferry.yaml has mistakes; CodedError FF_SYNC_UNKNOWN
 */
export function selectSync(name: string, environment: Environment): { config: Config; sync: SyncConfig } {
  const config = loadUsableAppConfig(environment);
  const [sync] = selectSyncs(config, [name]) as [SyncConfig];
  warnOfBroken(config);
  return { config, sync };
}

/** Prints the mistakes of the sync files that a command does not need, except those of the named syncs. */
export function warnOfBroken({ broken }: Config, except: readonly string[] = []): void {
  for (const { name, problems } of broken) {
    if (except.includes(name)) continue;
    print(`Warning: the file of the sync "${name}" has mistakes, so it cannot run:`, process.stderr);
    for (const problem of problems) print(`  ${describeProblem(problem)}`, process.stderr);
  }
}

/**
 * Opens the app for the sync of a run.
 * @throws ConfigError; CodedError FF_RUN_UNKNOWN, FF_SYNC_UNKNOWN if the config no longer has the sync, and as `openApp` does
 */
export function withRun(run: string, opening: Opening, action: SyncAction): Promise<number> {
  const config = loadUsableAppConfig(opening.environment);
  return withApp(config, opening, async (app) => {
    const past = await findRun(run, app.ledger);
    const isKnown = [...config.syncs, ...config.broken].some(({ name }) => name === past.sync);
    if (isKnown) {
      const [sync] = selectSyncs(config, [past.sync]) as [SyncConfig];
      warnOfBroken(config);
      return action(app, sync);
    }
    const message = `Run ${run} belongs to the sync "${past.sync}", which is not in the config.`;
    throw new CodedError('FF_SYNC_UNKNOWN', message);
  });
}

/** @throws CodedError FF_RUN_UNKNOWN */
export async function findRun(id: string, ledger: Ledger): Promise<PastRun> {
  const run = await ledger.runs.find(id);
  if (!run) throw new CodedError('FF_RUN_UNKNOWN', `The ledger has no run "${id}".`);
  return run;
}

/** Opens the ledger alone for an action, then closes it. */
export async function withLedger<Result>(environment: Environment, action: (ledger: Ledger) => Promise<Result>) {
  const ledger = await openLedger(environment);
  try {
    return await action(ledger);
  } finally {
    await ledger.close();
  }
}

/** How a command prints its run; default: as `sync` does. */
interface RunPrinting {
  /** Printed if there was nothing to do. */
  nothing?: string;
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
  { nothing = '', toJson = toRunResult, print: printReport = (report) => printRuns([report]) }: RunPrinting = {},
): Promise<number> {
  const progress = createProgressLine();
  const report = await begin({ signal, onProgress: progress.show }).finally(progress.clear);
  const runs = report ? [report] : [];
  if (json) printJson({ runs: runs.map(toJson) });
  else if (report) printReport(report);
  else print(nothing);
  return exitCodeOf(runs);
}

/** Returns the exit code of a command that ran syncs: the worst run decides. */
export function exitCodeOf(runs: readonly RunReport[]): number {
  if (runs.some((run) => run.status === 'failed')) return EXIT.failed;
  if (runs.some((run) => run.status === 'partial' || run.status === 'held')) return EXIT.partial;
  return EXIT.success;
}
