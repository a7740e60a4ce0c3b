import { causesIn } from '../../alerts/causes.ts';
import type { AlertKind, Config, StaleAfter } from '../../config/types.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { describeIncomplete } from '../../core/feed.ts';
import { describeCounts, ENDED_EARLY, isAcknowledged } from '../../core/run.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { HoldDecision } from '../../ledger/runs/decided-runs.ts';
import type { RecentRun } from '../../ledger/runs/run-list.ts';
import type { SyncHealth } from '../../ledger/runs/sync-health.ts';
import type { ConfiguredSync } from '../answers/configured-sync.ts';
import type { HealthWord } from '../views/overview.ts';
import { describeFailing, type SyncState } from './sync-states.ts';

const ALL_KINDS: AlertKind[] = ['failed', 'held', 'drift', 'empty', 'partial', 'stale'];
/** The default of alerts. */
const STALE_AFTER: StaleAfter = { intervals: 3 };

export const PLAN_WAITS = 'A held plan waits for a decision.';

/** A word for the state of a sync, and the reason in one sentence; the reason is empty if all is well. */
export interface JudgedHealth {
  health: HealthWord;
  why: string;
  /** Whether no run has succeeded for too long, whatever the word is. */
  isLate: boolean;
}

/**
 * Judges a sync by the causes of alerts, whether or not alerts are sent.
 * @param options `stuck`: its undelivered records in words, which earlier runs may have left
 */
export async function judgeHealth(
  sync: ConfiguredSync,
  state: SyncState,
  options: { config: Config; ledger: Ledger; isUnderWay: boolean; stuck: string },
): Promise<JudgedHealth> {
  const { config, ledger } = options;
  const health = await healthOf(state, ledger);
  const staleAfter = (sync.alerts || undefined)?.staleAfter ?? config.alerts?.staleAfter ?? STALE_AFTER;
  const causes = causesIn(health, { on: ALL_KINDS, staleAfter, schedule: sync.schedule });
  const isLate = causes.has('stale') && !state.pause;
  return { ...(await wordFor(state, health, causes, options)), isLate };
}

async function wordFor(
  state: SyncState,
  health: SyncHealth,
  causes: ReadonlyMap<AlertKind, string>,
  { config, ledger, isUnderWay, stuck }: { config: Config; ledger: Ledger; isUnderWay: boolean; stuck: string },
): Promise<Pick<JudgedHealth, 'health' | 'why'>> {
  const { timezone } = config.target;
  const cause = (kind: AlertKind) => state.recentRuns.find(({ run }) => run === causes.get(kind));
  if (state.mistakes.length > 0) return { health: 'broken', why: 'Its file has mistakes, so it cannot run.' };
  if (state.pause) return { health: 'paused', why: `${state.pause.by} paused it: ${state.pause.reason}` };
  if (causes.has('failed')) {
    const why = reasonOf(cause('failed'), 'The last run failed.');
    return { health: 'failed', why: [why, describeFailing(state.recentRuns, timezone)].filter(Boolean).join(' ') };
  }
  if (causes.has('held')) return { health: 'held', why: reasonOf(cause('held'), 'The last run is held.') };
  if (state.waits !== null) return { health: 'held', why: PLAN_WAITS };
  if (causes.has('stale')) return { health: 'late', why: lastSuccess(health, timezone) };
  if (isUnderWay) return { health: 'running', why: '' };
  if (health.latest?.decision?.is === 'rejected')
    return { health: 'decided', why: describeDecision(health.latest.decision, timezone) };
  if (state.drift && state.drift.differences > state.acknowledged.differs) {
    return { health: 'drift', why: `The CMS differs from what was delivered: ${state.drift.summary}.` };
  }
  if (causes.has('empty')) return { health: 'partial', why: 'The feed had no records.' };
  if (causes.has('partial')) return { health: 'partial', why: await undeliveredIn(cause('partial'), ledger) };
  if (stuck) return { health: 'partial', why: `Some records were not delivered: ${stuck}.` };
  return state.recentRuns.length === 0 ? { health: 'new', why: 'It has never run.' } : { health: 'ok', why: '' };
}

/** Returns the health in the form that alerts use. Asks the ledger only if no recent run was a success and earlier runs may be. */
async function healthOf(
  { sync, recentRuns, mayHaveMore, drift, acknowledged }: SyncState,
  ledger: Ledger,
): Promise<SyncHealth> {
  const begun = recentRuns.filter(({ agoMs }) => agoMs >= 0);
  const ended = begun.filter(({ finishedAt }) => finishedAt !== undefined);
  const latest = ended.find(({ error }) => !ENDED_EARLY.includes(error?.code ?? ''));
  const good = ended.find(({ succeeded }) => succeeded);
  const [newest, oldest] = [recentRuns[0], recentRuns.at(-1)];
  if (!newest || !oldest) return { now: Date.now(), drift };
  if (mayHaveMore && !good) return ledger.alerts.health(sync);
  return {
    now: Date.parse(newest.startedAt) + newest.agoMs,
    ...(latest && {
      latest: {
        ...{ run: latest.run, status: latest.status, read: latest.counts.read, finishedAt: endOf(latest) },
        decision: latest.decision,
        ...(isAcknowledged(latest, acknowledged.rejected) && { isAcknowledged: true as const }),
      },
    }),
    good: good && { run: good.run, finishedAt: endOf(good) },
    drift,
    firstAt: Date.parse(oldest.startedAt),
  };
}

function endOf({ finishedAt, startedAt }: RecentRun): number {
  return Date.parse(finishedAt ?? startedAt);
}

function reasonOf(run: RecentRun | undefined, otherwise: string): string {
  return run?.error?.message || otherwise;
}

function describeDecision({ is, by, at, reason }: HoldDecision, timezone: string): string {
  const why = reason === undefined ? '.' : `: ${reason}`;
  return `${by} has ${is} the plan of the last run at ${siteTime(at, timezone)}${why}`;
}

function lastSuccess({ good, firstAt }: SyncHealth, timezone: string): string {
  if (good) return `No run has succeeded since ${siteTime(good.finishedAt, timezone)}.`;
  return firstAt === undefined
    ? 'No run has succeeded.'
    : `No run has succeeded since the first one at ${siteTime(firstAt, timezone)}.`;
}

async function undeliveredIn(run: RecentRun | undefined, { runs }: Ledger): Promise<string> {
  const { rejected = 0, failed = 0, held = 0, unremoved = 0 } = run?.counts ?? {};
  const undelivered = describeCounts({ rejected, failed, held, unremoved });
  const sentences = undelivered ? [`Some records were not delivered: ${undelivered}.`] : [];
  if (run && !run.complete) sentences.push(describeIncomplete((await runs.report(run.run)).receipt?.reason));
  return sentences.join(' ') || 'Some records were not delivered.';
}
