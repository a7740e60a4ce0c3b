import { setTimeout as sleep } from 'node:timers/promises';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import { brokeOff } from '../../core/run.ts';
import type { RunUnderWay } from '../../ledger/runs/run-list.ts';
import { syncRun } from '../../sync/runs/sync-run.ts';
import type { App } from '../app.ts';
import type { RunOptions } from '../contexts.ts';
import { covers } from './due.ts';

const LOOK_MS = 250;
/** What has just made room is not there to be seen any more. */
const SOON_MS = 20;

/** Whose run does what was asked for: ours, or one that somebody else began, which may still be under way. */
export type JoinResult = { is: 'ours'; report: RunReport } | { is: 'theirs'; run: string };

export interface RunOnceOptions extends RunOptions {
  /** When it was asked for, in ms since 1970 by this machine's clock. */
  askedAt: number;
  /** Ends the waiting, but no run. */
  waiting?: AbortSignal;
  /** Told what is waited for: no run, so that it does not do what was asked for. It may throw, to wait for nothing. */
  onWait?: (other: RunUnderWay) => void;
}

export type RunsAndLedger = Pick<App, 'contextOf' | 'ledger'>;

/**
 * Sees to it that a sync runs once after it was asked to. A run that is under way, or began and ended since, is joined;
 * for anything else that is under way (a retry, an approval, …) it waits. Everything that runs syncs does so by way of this.
 * @throws what `onWait` throws; CodedError FF_RUN_INTERRUPTED where a signal ends the waiting
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
      if (!(error instanceof CodedError) || error.code !== 'FF_RUN_BUSY') throw error;
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
 * Runs a sync, or waits for the run that is under way and answers its report. Where that one breaks off, another follows.
 * @param options.onJoin told whose end is waited for, whenever that is another one
 * @throws CodedError FF_RUN_INTERRUPTED where the signal ends the waiting
 */
export async function runOrJoin(
  app: RunsAndLedger,
  sync: SyncConfig,
  options: RunOnceOptions & { onJoin: (run: string) => void },
): Promise<RunReport> {
  for (;;) {
    const outcome = await runOnce(app, sync, options);
    if (outcome.is === 'ours') return outcome.report;
    options.onJoin(outcome.run);
    await untilOver(app, outcome.run, options.signal);
    const report = await app.ledger.runs.report(outcome.run);
    if (report.status !== 'running' && !brokeOff(report.error?.code)) return report;
  }
}

/** Resolves when something that was under way has ended, or the process that led it. */
async function untilOver({ ledger }: RunsAndLedger, run: string, signal: AbortSignal): Promise<void> {
  while (await ledger.runs.isLed(run)) {
    if (signal.aborted) throw interrupted();
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}

function interrupted(): CodedError {
  return new CodedError(
    'FF_RUN_INTERRUPTED',
    'The run did not begin: it was interrupted while it waited for another one.',
  );
}
