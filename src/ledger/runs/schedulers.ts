import { processName } from '../../core/runtime/process-name.ts';
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

/** The processes that run syncs on their schedules. */
export function createSchedulerStore({ db, now, runtime }: LedgerDatabase) {
  return { seeScheduler, endScheduler, schedulers };

  /** Notes that this process runs what is due. */
  async function seeScheduler(): Promise<void> {
    await db
      .insertInto('schedulers')
      .values({ holder: runtime.process, started_at: now, seen_at: now, ended_at: null })
      .onConflict((conflict) => conflict.column('holder').doUpdateSet({ seen_at: now, ended_at: null }))
      .execute();
  }

  /** Notes that this process no longer does. */
  async function endScheduler(): Promise<void> {
    await db.updateTable('schedulers').set({ ended_at: now }).where('holder', '=', runtime.process).execute();
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
