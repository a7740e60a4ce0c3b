import { processName } from '../../core/runtime/process-name.ts';
import { partOfProcess } from '../../core/runtime/runtime.ts';
import type { LedgerDatabase } from '../database/schema.ts';

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
    await db
      .insertInto('schedulers')
      .values({ holder: scheduler, started_at: now, seen_at: now, ended_at: null })
      .onConflict((conflict) => conflict.column('holder').doUpdateSet({ seen_at: now, ended_at: null }))
      .execute();
  }

  /** Notes that this scheduler no longer does, and forgets those that ended before. */
  async function endScheduler(): Promise<void> {
    await db.deleteFrom('schedulers').where('ended_at', 'is not', null).execute();
    await db.updateTable('schedulers').set({ ended_at: now }).where('holder', '=', scheduler).execute();
  }

  async function schedulers(): Promise<SchedulerState> {
    const rows = await db.selectFrom('schedulers').selectAll().select(now.as('now')).execute();
    const active = rows.filter(({ holder, seen_at, ended_at, now: time }) => {
      return ended_at === null && time - seen_at < SILENT_MS && !runtime.isGone(holder);
    });
    const processes = active.map(({ holder, started_at }) => ({
      name: processName(holder),
      since: started_at,
    }));
    const times =
      active.length > 0
        ? [Math.min(...processes.map(({ since }) => since))]
        : rows.map(({ ended_at, seen_at }) => ended_at ?? seen_at).sort((one, other) => other - one);
    const [at] = times;
    return { isRunning: active.length > 0, ...(at !== undefined && { since: new Date(at).toISOString() }), processes };
  }
}
