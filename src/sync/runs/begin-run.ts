import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '../../core/errors.ts';
import type { RunWork } from '../../ledger/runs/run-kinds.ts';
import type { RunContext } from '../context/run-context.ts';

const LOOK_MS = 100;

/**
 * Begins a run of a sync. Waits for the end of a slice of a backfill: then it is the run's turn.
 * @throws CodedError FF_RUN_BUSY while another run is under way, unless it is a slice; FF_RUN_INTERRUPTED by the signal
 */
export async function beginRun(kind: RunWork, context: RunContext): Promise<{ run: string; isElsewhere: boolean }> {
  const { ledger, sync, signal } = context;
  for (let hasAsked = false; ; hasAsked = true) {
    try {
      const run = await ledger.runs.lead(sync.name, kind, context);
      if (hasAsked) await ledger.backfills.takeTurn(sync.name);
      return run;
    } catch (error) {
      if (kind === 'slice' || !isBusy(error) || !(await ledger.backfills.askForTurn(sync.name))) throw error;
      if (signal.aborted) throw new CodedError('FF_RUN_INTERRUPTED', 'The run was interrupted before it began.');
      await sleep(LOOK_MS);
    }
  }
}

/** Whether a run could not begin because of another one. */
export function isBusy(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'FF_RUN_BUSY';
}
