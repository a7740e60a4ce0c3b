import { processName } from '../../core/runtime/process-name.ts';
import { partOfProcess } from '../../core/runtime/runtime.ts';
import type { LedgerDatabase, SchedulersTable } from '../database/schema.ts';
import { all, cell, change } from '../database/statements.ts';

/** A scheduler that has not been seen for this long has ended, even if its machine cannot tell. */
const SILENT_MS = 120_000;

/** Whether a process runs what is due, and since when it does, or does not; ISO instants. */
export interface SchedulerState {
  isRunning: boolean;
  /** Absent: no scheduler has ever run. */
  since?: string;
  processes: Array<{ name: string; since: number }>;
}

/**
 * The processes that run syncs on their schedules. When the config changes, a process has a new scheduler before the former one has
 * ended, so each has a row of its own.
 */
export function createSchedulerStore({ db, now, runtime }: LedgerDatabase) {
  const scheduler = partOfProcess(runtime);
  return { seeScheduler, endScheduler, schedulers };

  /** Notes that this scheduler runs what is due. */
  async function seeScheduler(): Promise<void> {
    await change(db)`
      insert into schedulers (holder, started_at, seen_at) values (${scheduler}, ${now}, ${now})
      on conflict (holder) do update set seen_at = excluded.seen_at, ended_at = null
    `;
  }

  /** Notes that this scheduler no longer does, and forgets those that ended before. */
  async function endScheduler(): Promise<void> {
    await change(db)`delete from schedulers where ended_at is not null`;
    await change(db)`update schedulers set ended_at = ${now} where holder = ${scheduler}`;
  }

  async function schedulers(): Promise<SchedulerState> {
    const rows = await all<SchedulersTable & { now: number }>(db)`select schedulers.*, ${now} as now from schedulers`;
    const active = rows.filter(({ holder, seen_at, ended_at, now: time }) => {
      return ended_at === null && time - seen_at < SILENT_MS && !runtime.isGone(holder);
    });
    const processes = active.map(({ holder, started_at }) => ({ name: processName(holder), since: started_at }));
    const times =
      active.length > 0
        ? [Math.min(...processes.map(({ since }) => since))]
        : rows.map(({ ended_at, seen_at }) => ended_at ?? seen_at).sort((one, other) => other - one);
    const [at] = times;
    return { isRunning: active.length > 0, ...(at !== undefined && { since: new Date(at).toISOString() }), processes };
  }
}

/** Work that one of all processes does now and then. */
export function createTurnStore({ db, now }: LedgerDatabase) {
  return { takeTurn, returnTurn, lastTurn };

  /** Takes the turn of a task for all processes; false if any process took it within the last `everyMs`. */
  async function takeTurn(task: string, everyMs: number): Promise<boolean> {
    const taken = await change(db)`
      insert into housekeeping (task, begun_at) values (${task}, ${now})
      on conflict (task) do update set begun_at = excluded.begun_at where housekeeping.begun_at <= ${now} - ${everyMs}
    `;
    return taken > 0;
  }

  /** When a process last took the turn of a task, in ms since 1970; undefined: none ever did. */
  function lastTurn(task: string): Promise<number | undefined> {
    return cell<number>(db)`select begun_at from housekeeping where task = ${task}`;
  }

  /** Lets the next process take the turn at once. */
  async function returnTurn(task: string): Promise<void> {
    await change(db)`delete from housekeeping where task = ${task}`;
  }
}
