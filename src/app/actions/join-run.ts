import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import { brokeOff, type RunReport } from '../../core/run.ts';
import type { RunRequest } from '../../sync/context/run-context.ts';
import { isBusy } from '../../sync/runs/lead-run.ts';
import { syncRun } from '../../sync/runs/sync-run.ts';
import type { App } from '../app.ts';
import { covers } from './due.ts';

const LOOK_MS = 250;
/** Pause before the next attempt if the run that was in the way has ended meanwhile. */
const SOON_MS = 20;

/** The run that serves the request: ours, or a run that began elsewhere and may still be in progress. */
export type JoinResult = { is: 'ours'; report: RunReport } | { is: 'theirs'; run: string };

/** Options of the parts of a service that start runs. */
export interface StartOptions {
  log: Logger;
  /** Interrupts the runs and prevents new ones. */
  signal: AbortSignal;
  onFinished: (report: RunReport) => void;
}

export interface RunOnceOptions extends RunRequest {
  /** When the run was requested, in ms since 1970 by this machine's clock. */
  askedAt: number;
  /** Ends the wait without interrupting any run. */
  waiting?: AbortSignal;
}

export type RunsAndLedger = Pick<App, 'contextOf' | 'ledger'>;

/**
 * Makes sure that a sync runs once after the request. Joins a run that is in progress or that began after the request; waits for
 * the end of runs of other kinds (a retry, an approval, …). Schedules, the HTTP API and `sync` all begin their runs here.
 * @throws what `onWait` throws; CodedError FF_RUN_INTERRUPTED if a signal ends the wait
 */
export async function runOnce(app: RunsAndLedger, sync: SyncConfig, options: RunOnceOptions): Promise<JoinResult> {
  const { askedAt, onWait, waiting = options.signal } = options;
  for (;;) {
    if (waiting.aborted) throw interrupted();
    const last = await app.ledger.runs.lastBegun(sync.name);
    if (last?.isOver && covers(last, askedAt, Date.now())) return { is: 'theirs', run: last.run };
    try {
      return { is: 'ours', report: await syncRun(app.contextOf(sync, options)) };
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    const other = (await app.ledger.runs.underWay()).find((each) => each.sync === sync.name);
    if (other?.kind === 'run') return { is: 'theirs', run: other.run };
    if (other) {
      onWait?.(other);
      await untilOver(app, other.run, waiting);
    } else await sleep(SOON_MS);
  }
}

/**
 * Runs a sync, or waits for its run in progress and returns the report of that run. If that run breaks off, runs the sync again.
 * @param options.onJoin called with each run that this function waits for
 * @throws CodedError FF_RUN_INTERRUPTED if the signal ends the wait
 */
export async function runOrJoin(
  app: RunsAndLedger,
  sync: SyncConfig,
  options: RunOnceOptions & { onJoin: (run: string) => void },
): Promise<RunReport> {
  for (;;) {
    const joined = await runOnce(app, sync, options);
    if (joined.is === 'ours') return joined.report;
    options.onJoin(joined.run);
    await untilOver(app, joined.run, options.signal);
    const report = await app.ledger.runs.report(joined.run);
    if (report.status !== 'running' && !brokeOff(report.error?.code)) return report;
  }
}

/** Resolves when a run has ended, or its process has exited. */
async function untilOver({ ledger }: RunsAndLedger, run: string, signal: AbortSignal): Promise<void> {
  while ((await ledger.runs.underWay()).some((each) => each.run === run)) {
    if (signal.aborted) throw interrupted();
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}

function interrupted(): CodedError {
  const message = 'The run did not begin: it was interrupted while it waited for another one.';
  return new CodedError('FF_RUN_INTERRUPTED', message);
}
