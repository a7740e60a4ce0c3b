import type { Clock } from '../core/runtime/clock.ts';
import type { Pace, PermitLease, TargetState, TargetStore } from '../ledger/target/target-state.ts';

const FRESH_MS = 100;
/** Half of that: a look at this age does not wait, but starts the next reading. */
const AGING_MS = 50;

/** A target's state, and the time by the monotonic clock at which it was read, or just before. */
export interface SeenState extends TargetState {
  readAt: number;
}

export type TargetView = ReturnType<typeof createTargetView>;

/** Creates the view that this process has of a target: requests that follow each other closely share one reading. */
export function createTargetView(store: TargetStore, targetId: string, { monotonic }: Pick<Clock, 'monotonic'>) {
  let last: SeenState | undefined;
  let reading: Promise<SeenState> | undefined;
  let changes = 0;
  return { look, last: () => last, ledgerTime, forget, replacePermits, replacePace };

  /** Returns the state: at most 100 ms old while requests may be sent, otherwise the present one. */
  async function look(): Promise<SeenState> {
    const ageMs = last && isOpen(last) ? monotonic() - last.readAt : FRESH_MS;
    if (!last || ageMs >= FRESH_MS) return nextReading();
    // If this reading fails, the next caller that needs it gets the error.
    if (ageMs >= AGING_MS) nextReading().catch(() => undefined);
    return last;
  }

  function nextReading(): Promise<SeenState> {
    reading ??= read();
    return reading;
  }

  async function read(): Promise<SeenState> {
    const [readAt, before] = [monotonic(), changes];
    try {
      const seen = { ...(await store.look(targetId)), readAt };
      if (before === changes) last = seen;
      return seen;
    } finally {
      if (before === changes) reading = undefined;
    }
  }

  /** Returns the time by the ledger's clock, never behind it. */
  function ledgerTime({ now, readAt }: SeenState): number {
    return now + monotonic() - readAt;
  }

  /** Call it after a change of the state: a reading that began before the change may not show it. */
  function forget(): void {
    changes += 1;
    last = undefined;
    reading = undefined;
  }

  /** Replaces the permits of all processes; false if the permits were changed since `seen`. */
  async function replacePermits(seen: SeenState, permits: readonly PermitLease[]): Promise<boolean> {
    const isReplaced = await store.replacePermits(targetId, seen.permits, permits);
    last = isReplaced && last ? { ...last, permits } : undefined;
    return isReplaced;
  }

  /** Replaces the pace for all processes, unless the pace was changed since it was seen. */
  async function replacePace(before: Pace | undefined, pace: Pace): Promise<void> {
    const isReplaced = await store.replacePace(targetId, before, pace);
    if (isReplaced && last) last = { ...last, pace };
    else last = undefined;
  }
}

/** Whether the target is neither paused nor stopped. */
export function isOpen({ pause, stop }: TargetState): boolean {
  return !pause && !stop;
}
