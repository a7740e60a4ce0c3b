import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError, type ErrorCode } from '../../core/errors.ts';
import type { OpenBackfill } from '../../ledger/backfills/backfills.ts';
import type { RunContext } from '../context/run-context.ts';
import { isBusy } from '../runs/begin-run.ts';
import { carryOutSlice } from './run-slice.ts';
import { FIRST_SLICE, nextSliceSize } from './slice-size.ts';

const LOOK_MS = 100;
const BUSY_LOOK_MS = 500;

/**
 * Works a backfill off, slice by slice, until nothing is left. Between two slices other runs of the sync have their turns.
 * @throws CodedError for what kept a slice from its end; the reason of the signal
 */
export async function workOff(backfill: OpenBackfill, context: RunContext): Promise<void> {
  const { ledger, sync, signal } = context;
  const { total = 0 } = backfill;
  let size = FIRST_SLICE;
  for (;;) {
    const left = await ledger.backfills.countLeft(backfill);
    const counts = await ledger.backfills.counts(backfill);
    const show = (settled: number) =>
      context.onProgress?.({ phase: 'backfilling', sync: sync.name, done: total - left + settled, total, counts });
    show(0);
    if (left === 0) return;
    while (await ledger.backfills.isTurnWanted(sync.name)) await sleep(LOOK_MS, undefined, { signal });
    signal.throwIfAborted();

    const began = performance.now();
    const slice = await carryOutSlice(backfill, size, { ...context, onSettled: show }).catch(unlessBusy);
    if (!slice) {
      context.onProgress?.({ phase: 'waiting', sync: sync.name });
      await sleep(BUSY_LOOK_MS, undefined, { signal });
      continue;
    }
    if (slice.error) throw new CodedError(slice.error.code as ErrorCode, slice.error.message);
    size = nextSliceSize(slice.counts.read, performance.now() - began);
  }
}

function unlessBusy(error: unknown): undefined {
  if (!isBusy(error)) throw error;
}
