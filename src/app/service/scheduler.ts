import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SyncConfig } from '../../config/types.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { nextTick } from '../../core/dates/ticks.ts';
import { CodedError } from '../../core/errors.ts';
import { pauseOf } from '../../sync/runs/pause-sync.ts';
import { missedTick, nextRun } from '../actions/due.ts';
import { type RunsAndLedger, runOnce, type StartOptions } from '../actions/join-run.ts';
import type { App } from '../app.ts';

/** A run that begins later than this after its tick is logged as missed. */
const LATE_MS = 2_000;
/** Timers are set for the ticks of this time; `look` is called more often. */
const AHEAD_MS = 120_000;
/** Number of syncs whose next run is logged; `status` shows when the others run. */
const LOGGED_SCHEDULES = 20;

type Scheduled = SyncConfig & Required<Pick<SyncConfig, 'schedule'>>;

export type Scheduler = Awaited<ReturnType<typeof startScheduler>>;

/**
 * Runs the syncs that have a schedule: at their ticks, and at once if `look` finds that a tick was missed. The ledger decides what
 * is due, so it does not matter how many processes have a scheduler. Stop the scheduler before the app is closed.
 * @param options.waiting aborted before `stop`: begins no runs from then on, and interrupts none
 */
export async function startScheduler(
  app: RunsAndLedger & Pick<App, 'config'>,
  { log, signal, waiting, onFinished }: StartOptions & { waiting: AbortSignal },
) {
  const scheduled = app.config.syncs.filter((sync): sync is Scheduled => sync.schedule !== undefined);
  const atWork = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  await logSchedule(scheduled, app, log);
  await look();
  return { look, stop };

  /** Begins the runs whose ticks were missed, by the runs of all processes in the ledger, and waits for the next ticks. */
  async function look(): Promise<void> {
    await guarded(async () => {
      await app.ledger.schedulers.seeScheduler();
      const pauses = await app.ledger.pauses.pauses();
      for (const sync of scheduled) {
        if (waiting.aborted) return;
        if (!atWork.has(sync.name)) await check(sync, pauseOf(sync, pauses) !== undefined);
      }
    });
  }

  /** @param isPaused after it is resumed, one run makes up for all the ticks */
  async function check(sync: Scheduled, isPaused: boolean): Promise<void> {
    const last = await app.ledger.runs.lastBegun(sync.name);
    const now = Date.now();
    const at = isPaused ? undefined : missedTick(sync.schedule, last, now);
    if (at === undefined) return waitForTick(sync, now - (last?.agoMs ?? 0));
    const reason = last ? 'A scheduled run was missed. The sync runs now.' : 'The sync has never run. It runs now.';
    if (!last || now - at > LATE_MS) log.info({ sync: sync.name }, reason);
    onTick(sync, at);
  }

  /** @param lastAt when the last run began, in ms since 1970 */
  function waitForTick(sync: Scheduled, lastAt: number): void {
    clearTimeout(timers.get(sync.name));
    const now = Date.now();
    const at = nextTick(sync.schedule, now, lastAt);
    if (at === undefined || at - now > AHEAD_MS || waiting.aborted) return;
    timers.set(
      sync.name,
      // Timers may be early.
      setTimeout(() => (Date.now() < at ? waitForTick(sync, lastAt) : onTick(sync, at)), at - now),
    );
  }

  function onTick(sync: Scheduled, at: number): void {
    const { name } = sync;
    if (waiting.aborted || atWork.has(name)) return;
    clearTimeout(timers.get(name));
    const done = runForTick(sync, at)
      .catch((error: unknown) => {
        if (isPaused(error)) log.info({ sync: name }, `Skipped a scheduled run: ${error.message}`);
        else if (!waiting.aborted) log.error({ err: error, sync: name }, 'A scheduled run failed.');
      })
      .then(() =>
        guarded(async () => waitForTick(sync, Date.now() - ((await app.ledger.runs.lastBegun(name))?.agoMs ?? 0))),
      )
      .finally(() => atWork.delete(name));
    atWork.set(name, done);
  }

  async function runForTick(sync: Scheduled, at: number): Promise<void> {
    await sleep(Math.random() * (sync.schedule.jitterMs ?? 0), undefined, { signal: waiting });
    const joined = await runOnce(app, sync, {
      askedAt: at,
      signal,
      waiting,
      onWait: ({ run, kind }) => log.info({ sync: sync.name, run }, `Waiting for the ${kind} to finish.`),
    });
    if (joined.is === 'ours') onFinished(joined.report);
    else log.info({ sync: sync.name, run: joined.run }, 'Skipped a scheduled run: another run covers it.');
  }

  async function guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const code = error instanceof CodedError ? error.code : undefined;
      log.warn({ err: error, code }, 'Schedules could not be checked. They are checked again later.');
    }
  }

  /** Resolves when the runs that the scheduler began have ended. Does not interrupt them. */
  async function stop(): Promise<void> {
    await app.ledger.schedulers
      .endScheduler()
      .catch((error: unknown) => log.warn({ err: error }, 'The end of the scheduler could not be noted.'));
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(atWork.values());
  }
}

function isPaused(error: unknown): error is CodedError {
  return error instanceof CodedError && error.code === 'FF_SYNC_PAUSED';
}

/** Logs when each sync runs next, except syncs that are due: they are logged when they begin. */
async function logSchedule(
  scheduled: readonly Scheduled[],
  { config, ledger }: Pick<App, 'config' | 'ledger'>,
  log: Logger,
): Promise<void> {
  if (scheduled.length === 0 && config.syncs.length > 0) {
    log.warn('No sync has a schedule, so none runs by itself. Add one to a sync file: `feedferry help schedules`');
  }
  for (const { name: sync, schedule } of scheduled.slice(0, LOGGED_SCHEDULES)) {
    const next = nextRun(schedule, await ledger.runs.lastBegun(sync), Date.now());
    if (next === undefined || next <= Date.now()) continue;
    log.info({ sync, next: new Date(next) }, `${sync}: next run ${siteTime(next, config.target.timezone)}`);
  }
  const more = scheduled.length - LOGGED_SCHEDULES;
  if (more > 0) log.info(`${more} more syncs have a schedule. \`feedferry status\` lists them.`);
}
