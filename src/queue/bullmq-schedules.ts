import type { Job, JobSchedulerJson, Queue } from 'bullmq';
import type { Schedule } from '../core/dates/schedule.ts';
import { nextCronTick, nextTick } from '../core/dates/ticks.ts';
import type { KeptSchedules, QueueWorker, ScheduleEntry, Tick } from '../core/queue.ts';

/** The data of a job for a tick. */
export type TickData = Pick<Tick, 'sync'>;

/** Replaces BullMQ's reading of cron, which differs from croner's: croner also checks configs and finds missed ticks. */
export const TICK_SETTINGS = {
  repeatStrategy: (after: number, { pattern = '', tz }: { pattern?: string; tz?: string }) =>
    nextCronTick(pattern, tz, after),
};

/**
 * Keeps schedules as BullMQ's job schedulers. Existing schedulers keep their clock.
 * @param wanted.untouched syncs whose schedules stay as they are
 * @param startWorker passes the jobs of the queue to a function
 * @param guarded translates errors of Redis to coded errors
 * @throws CodedError FF_QUEUE_UNAVAILABLE
 */
export async function keepSchedules(
  queue: Queue<TickData>,
  wanted: { entries: readonly ScheduleEntry[]; untouched: readonly string[] },
  onTick: (tick: Tick) => void,
  startWorker: (process: (job: Job<TickData>) => Promise<void>) => Promise<QueueWorker>,
  guarded: <T>(call: Promise<T>) => Promise<T>,
): Promise<KeptSchedules> {
  const keep = () => guarded(keepOnly(wanted));
  const forget = () => guarded(keepOnly({ entries: [], untouched: [] }));
  await keep();
  const worker = await startWorker(async ({ data: { sync }, timestamp, opts: { delay = 0 } }) =>
    onTick({ sync, at: timestamp + delay }),
  );
  return { keep, stop: () => worker.stop(), forget };

  async function keepOnly({ entries, untouched }: typeof wanted): Promise<void> {
    const kept = new Map((await queue.getJobSchedulers()).map((scheduler) => [scheduler.key, scheduler]));
    for (const entry of entries) {
      const { sync, schedule } = entry;
      const scheduler = kept.get(sync);
      kept.delete(sync);
      if (isOf(schedule, scheduler)) continue;
      if (scheduler) await queue.removeJobScheduler(sync);
      const template = { name: sync, data: { sync }, opts: { removeOnComplete: true, removeOnFail: true } };
      await queue.upsertJobScheduler(sync, repeatOptions(entry), template);
    }
    for (const sync of kept.keys()) {
      if (!untouched.includes(sync)) await queue.removeJobScheduler(sync);
    }
  }
}

function isOf(schedule: Schedule, scheduler: JobSchedulerJson | undefined): boolean {
  if ('everyMs' in schedule) return scheduler?.every === schedule.everyMs;
  return scheduler?.pattern === schedule.cron && scheduler.tz === schedule.timezone;
}

/** Without a start, an interval would begin with a tick, although the ledger decides whether a run is due at once. */
function repeatOptions({ schedule, from }: ScheduleEntry) {
  if ('cron' in schedule) return { pattern: schedule.cron, tz: schedule.timezone };
  const now = Date.now();
  return { every: schedule.everyMs, startDate: nextTick(schedule, now, from ?? now) };
}
