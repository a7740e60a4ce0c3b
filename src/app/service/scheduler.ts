import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { leftOut } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import type { Schedule } from '../../core/dates/schedule.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { CodedError } from '../../core/errors.ts';
import type { ScheduleEntry, Tick } from '../../core/queue.ts';
import { pauseOf } from '../../sync/runs/pause-sync.ts';
import type { App } from '../app.ts';
import { missedTick, nextRun } from './due.ts';
import { type RunsAndLedger, runOnce, type StartOptions } from './join-run.ts';

/** Time for the process that receives a tick to begin the run. */
const GRACE_MS = 2_000;
/** Number of syncs whose next run is logged; `status` shows when the others run. */
const LOGGED_SCHEDULES = 20;

export type Scheduler = Awaited<ReturnType<typeof startScheduler>>;

/**
 * Runs the syncs that have a schedule: at the ticks of the queue, and at once if `look` finds that a tick was missed. A sync has
 * one run at a time, which covers the ticks that come meanwhile. Stop the scheduler before the app is closed.
 * @param options.waiting aborted before `stop`: begins no runs from then on, and interrupts none
 * @throws CodedError FF_QUEUE_UNAVAILABLE
 */
export async function startScheduler(
  app: RunsAndLedger & Pick<App, 'config' | 'queue'>,
  { log, signal, waiting, onFinished }: StartOptions & { waiting: AbortSignal },
) {
  const scheduled = app.config.syncs.filter(({ schedule }) => schedule);
  const entries = await Promise.all(
    scheduled.flatMap(({ name, schedule }) => (schedule ? [entryOf(name, schedule, app)] : [])),
  );
  const atWork = new Map<string, Promise<void>>();
  const unknown = leftOut(app.config).map(({ name }) => name);
  const schedules = await app.queue.schedule(entries, onTick, unknown);
  await logSchedule(entries, app, log);
  await look(0);
  return { look, stop };

  function onTick({ sync: name, at }: Tick): void {
    const sync = scheduled.find((candidate) => candidate.name === name);
    if (!sync || waiting.aborted) return;
    if (atWork.has(name)) {
      log.info({ sync: name }, 'Skipped a scheduled run: the sync is already running.');
      return;
    }
    const done = runForTick(sync, at)
      .catch((error: unknown) => {
        if (isPaused(error)) log.info({ sync: name }, `Skipped a scheduled run: ${error.message}`);
        else if (!waiting.aborted) log.error({ err: error, sync: name }, 'A scheduled run failed.');
      })
      .finally(() => atWork.delete(name));
    atWork.set(name, done);
  }

  async function runForTick(sync: SyncConfig, at: number): Promise<void> {
    await sleep(Math.random() * (sync.schedule?.jitterMs ?? 0), undefined, { signal: waiting });
    const joined = await runOnce(app, sync, {
      askedAt: at,
      signal,
      waiting,
      onWait: ({ run, kind }) => log.info({ sync: sync.name, run }, `Waiting for the ${kind} to finish.`),
    });
    if (joined.is === 'ours') onFinished(joined.report);
    else log.info({ sync: sync.name, run: joined.run }, 'Skipped a scheduled run: another run covers it.');
  }

  /**
   * Finds missed ticks by the runs in the ledger, which has the runs of all processes even if the queue was lost, and adds
   * schedules that the queue has lost.
   */
  async function look(graceMs = GRACE_MS): Promise<void> {
    try {
      await app.ledger.schedulers.seeScheduler();
      const pauses = await app.ledger.pauses.pauses();
      for (const { sync, schedule } of entries) {
        if (waiting.aborted) return;
        // After it is resumed, one run makes up for all the ticks.
        if (pauseOf(scheduled.find(({ name }) => name === sync) ?? { name: sync }, pauses)) continue;
        const last = await app.ledger.runs.lastBegun(sync);
        const now = Date.now();
        const at = missedTick(schedule, last, now);
        if (at === undefined || now - at < graceMs || atWork.has(sync)) continue;
        log.info(
          { sync },
          last ? 'A scheduled run was missed. The sync runs now.' : 'The sync has never run. It runs now.',
        );
        onTick({ sync, at });
      }
      await schedules.keep();
    } catch (error) {
      const code = error instanceof CodedError ? error.code : undefined;
      log.warn({ err: error, code }, 'Schedules could not be checked. They are checked again later.');
    }
  }

  /**
   * Resolves when the runs that the scheduler began have ended. Does not interrupt them.
   * @param options.forget removes the schedules from the queue
   */
  async function stop({ forget }: { forget: boolean }): Promise<void> {
    await app.ledger.schedulers
      .endScheduler()
      .catch((error: unknown) => log.warn({ err: error }, 'The end of the scheduler could not be noted.'));
    await schedules.stop();
    if (forget) {
      await schedules
        .forget()
        .catch((error: unknown) => log.warn({ err: error }, 'Old schedules could not be removed from Redis.'));
    }
    await Promise.all(atWork.values());
  }
}

function isPaused(error: unknown): error is CodedError {
  return error instanceof CodedError && error.code === 'FF_SYNC_PAUSED';
}

/** Logs when each sync runs next, except syncs that are due: they are logged when they begin. */
async function logSchedule(
  entries: readonly ScheduleEntry[],
  { config, ledger }: Pick<App, 'config' | 'ledger'>,
  log: Logger,
): Promise<void> {
  if (entries.length === 0 && config.syncs.length > 0) {
    log.warn('No sync has a schedule, so none runs by itself. Add one to a sync file: `feedferry help schedules`');
  }
  for (const { sync, schedule } of entries.slice(0, LOGGED_SCHEDULES)) {
    const next = nextRun(schedule, await ledger.runs.lastBegun(sync), Date.now());
    if (next === undefined || next <= Date.now()) continue;
    log.info({ sync, next: new Date(next) }, `${sync}: next run ${siteTime(next, config.target.timezone)}`);
  }
  const more = entries.length - LOGGED_SCHEDULES;
  if (more > 0) log.info(`${more} more syncs have a schedule. \`feedferry status\` lists them.`);
}

/** An interval counts from the last run, so that restarts and reloads do not shift it; an overdue sync runs at once. */
async function entryOf(sync: string, schedule: Schedule, { ledger }: RunsAndLedger): Promise<ScheduleEntry> {
  if ('cron' in schedule) return { sync, schedule };
  const last = await ledger.runs.lastBegun(sync);
  return last && last.agoMs < schedule.everyMs ? { sync, schedule, from: Date.now() - last.agoMs } : { sync, schedule };
}
