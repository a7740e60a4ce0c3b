import type { App } from '../../app/app.ts';
import { siteOf } from '../../app/target-id.ts';
import { withBroken } from '../../config/select.ts';
import type { Config } from '../../config/types.ts';
import type { Schedule } from '../../core/dates/schedule.ts';
import { lastSuccessAgo } from '../../core/run.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RecentRun } from '../../ledger/runs/run-list.ts';
import { lookAtTarget } from '../../limits/look-at-target.ts';
import { formerSyncs } from '../../sync/items/former-syncs.ts';
import type { ConfiguredSync } from '../answers/configured-sync.ts';
import {
  MOST_COUNTED,
  type OverviewView,
  type RunRowView,
  type SchedulerView,
  type SyncRowView,
} from '../views/overview.ts';
import { attentionFor, describeOpen } from './attention.ts';
import { countEventQuestions } from './questions.ts';
import { describeStillShown, lastReadings } from './rejects.ts';
import { sourcesOf } from './sources.ts';
import { judgeHealth } from './sync-health.ts';
import { hasCounted, type SyncState, statesOf } from './sync-states.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

const DAYS: Readonly<Record<string, string>> = { '*': 'every day', '1-5': 'Monday to Friday' };
/** Other numbers do not divide an hour. */
const EVERY_MINUTES = /^\*\/(1|2|3|4|5|6|10|12|15|20|30) \* \* \* \*$/;
const SIMPLE_CRON = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5)$/;

/** Returns the state of the CMS and of all syncs, and the items that need a person's attention. */
export async function overviewOf({ config, ledger }: Pick<App, 'config' | 'ledger'>): Promise<OverviewView> {
  const { syncs: known } = withBroken(config);
  const { baseUrl, timezone } = config.target;
  const [state, syncs, found, scheduler] = await Promise.all([
    lookAtTarget(siteOf(baseUrl), config.target, ledger),
    rowsOf(known, config, ledger),
    ledger.records.orphans(known.map(({ name }) => name)),
    schedulerOf(ledger),
  ]);
  const target = { baseUrl, ...state };
  const orphans = found.map(({ sync, items }) => {
    const heir = config.syncs.find((present) => formerSyncs(present).some(({ name }) => name === sync))?.name;
    return { sync, items, heir };
  });
  const attention = attentionFor({ target, syncs, orphans, scheduler, timezone });
  const at = new Date().toISOString();
  return { at, timezone, target, scheduler, syncs, attention, orphans };
}

/** Returns whether a process runs syncs on their schedules. */
export async function schedulerOf({ schedulers }: Ledger): Promise<SchedulerView> {
  const { isRunning, since } = await schedulers.schedulers();
  return { isRunning, since };
}

/** Returns the rows of syncs in the overview. */
export async function rowsOf(syncs: readonly ConfiguredSync[], config: Config, ledger: Ledger): Promise<SyncRowView[]> {
  const names = syncs.map(({ name }) => name);
  const [states, undelivered, withoutFiles, asked, underWay, totals, verified] = await Promise.all([
    statesOf(syncs, config, ledger),
    ledger.records.countUndelivered(names, MOST_COUNTED),
    ledger.records.countWithoutFiles(names),
    ledger.questions.countOpen(),
    ledger.runs.underWay(),
    ledger.runs.totals(),
    ledger.verifications.verified(),
  ]);
  return Promise.all(
    syncs.map(async (sync, index) => {
      const { name, schedule, resource = null } = sync;
      const state = states[index] as SyncState;
      const { recentRuns } = state;
      const running = underWay.find((run) => run.sync === name)?.run ?? null;
      const ago = lastSuccessAgo(name, totals);
      const [lastRun] = recentRuns;
      const heldFor = asked.get(name);
      const open = undelivered.get(name) ?? { pending: 0, failed: 0, held: 0 };
      const judging = { config, ledger, isUnderWay: running !== null, stuck: describeOpen(open) };
      const { health, why, isLate } = await judgeHealth(sync, state, judging);
      const shown = await describeStillShown(name, recentRuns.find(hasCounted), ledger);
      const stillShown = shown.map((text) => text.charAt(0).toUpperCase() + text.slice(1));
      return {
        sync: name,
        resource,
        health,
        why: [why, ...stillShown.map((text) => `${text}.`)].filter(Boolean).join(' '),
        schedule: schedule ? describeSchedule(schedule, config.target.timezone) : null,
        nextRunAt: state.mistakes.length > 0 ? null : state.nextRun,
        underWay: running,
        lastRun: lastRun ? toRunRow(lastRun) : null,
        lastSuccessAt: Number.isFinite(ago) ? new Date(Date.now() - ago).toISOString() : null,
        isLate,
        verifiedAt: verified.get(name)?.certainAt ?? null,
        undelivered: open,
        ...(withoutFiles.has(name) && { withoutFiles: withoutFiles.get(name) }),
        ...(stillShown.length > 0 && { stillShown }),
        ...(sync.sources && { sources: await sourcesOf(sync, { target: config.target, ledger }) }),
        ...(sync.sources || heldFor
          ? { questions: (heldFor?.same ?? 0) + (await countEventQuestions(sync, lastRun, ledger)) }
          : {}),
        ...(heldFor && { heldFor }),
        ...(state.pause && { paused: state.pause }),
        waits: state.waits,
        drift: state.drift?.summary ?? null,
        differences: state.drift?.differences ?? 0,
        acknowledged: state.acknowledged,
        mistakes: state.mistakes,
        recentRuns: recentRuns.map(toRunRow).toReversed(),
      };
    }),
  );
}

function toRunRow({ isApproval, agoMs, ...run }: RecentRun): RunRowView {
  return run;
}

/** Describes when a sync runs: "every 15 minutes", "every day at 06:30", or the cron expression of a rarer schedule. */
export function describeSchedule(schedule: Schedule, siteTimezone: string): string {
  if ('everyMs' in schedule) return describeInterval(schedule.everyMs);
  const { cron, timezone } = schedule;
  const zone = timezone === siteTimezone ? '' : ` (${timezone})`;
  const [, minutes] = EVERY_MINUTES.exec(cron.trim()) ?? [];
  if (minutes) return describeInterval(Number(minutes) * 60_000);
  const [, minute = '', hour = '', days = ''] = SIMPLE_CRON.exec(cron.trim().replaceAll(/\s+/g, ' ')) ?? [];
  if (days === '') return `cron ${cron}${zone}`;
  return `${DAYS[days]} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}${zone}`;
}

function describeInterval(ms: number): string {
  const [unit, length] = UNITS.find((candidate) => ms % candidate[1] === 0) ?? (['millisecond', 1] as const);
  const times = ms / length;
  return times === 1 ? `every ${unit}` : `every ${times} ${unit}s`;
}

const DAY_MS = 86_400_000;

/** What is new since a time. */
export type NewsView = Awaited<ReturnType<typeof newsOf>>;

/**
 * Returns what is new since a time: changes in the CMS, plans to decide, and rejects.
 * @param since ISO instant; absent: this time yesterday
 */
export async function newsOf(since: string | undefined, { config, ledger }: Pick<App, 'config' | 'ledger'>) {
  const from = since === undefined ? Date.now() - DAY_MS : Date.parse(since);
  const names = withBroken(config).syncs.map(({ name }) => name);
  const [changes, plans, readings] = await Promise.all([
    ledger.runs.changedSince(from),
    waitingPlans(from, ledger),
    lastReadings(names, ledger),
  ]);
  const rejects = await Promise.all(
    readings
      .filter(({ counts, startedAt }) => counts.rejected > 0 && Date.parse(startedAt) >= from)
      .map(async ({ sync, run }) => ({ sync, run, count: await ledger.runs.countNewRejections({ sync, run }, from) })),
  );
  return {
    since: new Date(from).toISOString(),
    /** How many items runs have changed in the CMS; syncs without changes are absent. */
    changes,
    /** Plans that were held since and wait for a decision. */
    plans,
    /** How many records the last reading rejected, or for other reasons, that were not rejected then. */
    rejects: rejects.filter(({ count }) => count > 0),
  };
}

async function waitingPlans(
  from: number,
  { plans, runs }: App['ledger'],
): Promise<Array<{ sync: string; run: string }>> {
  const waiting = (await plans.heldPlans()).filter(({ decision }) => !decision);
  const held = await Promise.all(waiting.map(({ run }) => runs.get(run)));
  return held.filter(({ finishedAt = '' }) => Date.parse(finishedAt) >= from).map(({ sync, run }) => ({ sync, run }));
}
