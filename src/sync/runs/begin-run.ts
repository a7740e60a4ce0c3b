import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '../../core/errors.ts';
import type { RunWork } from '../../ledger/runs/run-kinds.ts';
import type { RunContext } from '../context/run-context.ts';

const LOOK_MS = 100;

/**
 * Begins a run of a sync. Where a slice of a backfill is under way, its end is waited for: then it is the run's turn.
 * @returns its id
 * @throws CodedError FF_RUN_BUSY while another run is under way that is no slice, FF_RUN_INTERRUPTED by the signal
 */
export async function beginRun(
  kind: RunWork,
  { ledger, sync, signal }: Pick<RunContext, 'ledger' | 'sync' | 'signal'>,
): Promise<string> {
  for (let hasAsked = false; ; hasAsked = true) {
    try {
      const run = await ledger.runs.begin(sync.name, kind);
      if (hasAsked) await ledger.backfills.takeTurn(sync.name);
      return run;
    } catch (error) {
      if (kind === 'slice' || !isBusy(error) || !(await ledger.backfills.askForTurn(sync.name))) throw error;
      if (signal.aborted) throw new CodedError('FF_RUN_INTERRUPTED', 'The run was interrupted before it began.');
      await sleep(LOOK_MS);
    }
  }
}

/** Whether another run is in the way. */
export function isBusy(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'FF_RUN_BUSY';
}
