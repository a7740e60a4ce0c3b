import { siteTime } from '../../core/dates/site-time.ts';
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import { terminalText } from '../../core/text/text-parts.ts';
import {
  type AttentionItem,
  describeHeld,
  MOST_COUNTED,
  type OverviewView,
  type SchedulerView,
  type SyncRowView,
  type TargetStateView,
} from '../views/overview.ts';
import { PLAN_WAITS } from './sync-health.ts';
import { hasCounted } from './sync-states.ts';

type Kind = AttentionItem['is'];

/** What to do about items of each kind, the most urgent first. The error of an item says it better. */
const REMEDIES: Readonly<Record<Kind, string>> = {
  stopped: 'Correct what it refuses, then check it: `feedferry doctor`.',
  unscheduled: 'Start one: `feedferry start`.',
  held: 'Review the plan: `feedferry approve --list RUN`.',
  failed: 'See its runs: `feedferry runs SYNC`.',
  broken: 'Correct its file, then check it: `feedferry validate`.',
  late: 'See its runs: `feedferry runs SYNC`.',
  paused: 'Requests resume by themselves. To test the CMS at once: `feedferry doctor`.',
  drift: 'Show the differences: `feedferry verify SYNC`.',
  undelivered: 'Try them again: `feedferry retry SYNC`.',
  incomplete: 'See its runs: `feedferry runs SYNC`.',
  rejected: 'List them: `feedferry rejects SYNC`.',
  questions: 'Answer them: `feedferry questions SYNC`.',
  reviews: 'Publish them, or leave them out: `feedferry questions SYNC`.',
  withoutFiles: 'Try them again now: `feedferry retry SYNC`.',
  orphan: 'To delete the items: `feedferry purge SYNC`. To keep them, unmanaged: `feedferry release SYNC`.',
};
const URGENCY = Object.keys(REMEDIES);

/** Returns the items that need a person's attention, the most urgent first. */
export function attentionFor({
  target,
  syncs,
  orphans,
  scheduler,
  timezone,
}: Pick<OverviewView, 'target' | 'syncs' | 'orphans' | 'scheduler' | 'timezone'>): AttentionItem[] {
  const items = [
    ...ofTarget(target),
    ...ofScheduler(scheduler, syncs, timezone),
    ...syncs.flatMap(ofSync),
    ...orphans.map(ofOrphan),
  ];
  return items
    .toSorted((one, other) => URGENCY.indexOf(one.is) - URGENCY.indexOf(other.is))
    .map((item) => ({ ...item, remedy: terminalText(item.remedy ?? REMEDIES[item.is], item) }));
}

type Found = Omit<AttentionItem, 'remedy'> & { remedy?: string | undefined };

function ofTarget({ state, reason = '' }: TargetStateView): Found[] {
  if (state === 'stopped') return [{ is: 'stopped', text: `The CMS refuses all requests: ${reason}` }];
  return state === 'paused' ? [{ is: 'paused', text: `Requests to the CMS are paused: ${reason}` }] : [];
}

/** Without any schedule, or if cron runs the syncs, no scheduler is missing. */
function ofScheduler({ isRunning, since }: SchedulerView, syncs: readonly SyncRowView[], timezone: string): Found[] {
  if (isRunning || since === undefined || syncs.every(({ nextRunAt }) => nextRunAt === null)) return [];
  const text = `No scheduler is running since ${siteTime(since, timezone)}, so no sync runs by itself.`;
  return [{ is: 'unscheduled', text }];
}

function ofOrphan({ sync, items, heir }: OverviewView['orphans'][number]): Found {
  const text = `There is no sync file, but ${items === 1 ? '1 item is' : `${items} items are`} in the CMS.`;
  const remedy = heir
    ? `The next run of ${heir} takes them over. Those that remain after it have a duplicate.`
    : `If the file was renamed, write in the new one: \`renamedFrom: ${sync}\`. ${REMEDIES.orphan}`;
  return { is: 'orphan', sync, text: heir ? text : `${text} They are no longer updated.`, remedy };
}

function ofSync(row: SyncRowView): Found[] {
  const { sync, health, why, undelivered, underWay, drift, acknowledged, lastRun } = row;
  const withoutFiles = (row.withoutFiles ?? 0) - acknowledged.withoutFile;
  // A run in progress has not counted all records yet.
  const last = row.recentRuns.findLast(({ finishedAt }) => finishedAt !== undefined);
  const run = last?.run;
  const items: Found[] = [];
  const code = lastRun?.error?.code;
  const remedy = code && errorTable[code as ErrorCode].remedy;
  if (row.waits !== null) {
    const isLast = health === 'held' && run === row.waits;
    const text = isLast ? `${why} It waits for a decision.` : PLAN_WAITS;
    items.push({ is: 'held', sync, run: row.waits, text, ...(isLast && { code }) });
  } else if (health === 'held') {
    items.push({ is: 'held', sync, run, text: why, code, remedy });
  }
  if (health === 'broken') items.push({ is: 'broken', sync, text: row.mistakes[0] ?? why });
  if (health === 'failed') items.push({ is: 'failed', sync, run, text: why, code, remedy });
  if (health === 'late') items.push({ is: 'late', sync, run, text: why });
  if (drift !== null && row.differences > acknowledged.differs) {
    items.push({ is: 'drift', sync, text: `The CMS differs from what was delivered: ${drift}.` });
  }
  // What waits for an answer has its own item.
  const asked = Object.values(row.heldFor ?? {}).reduce((sum, count) => sum + count, 0);
  const { pending, ...stuck } = { ...undelivered, held: Math.max(0, undelivered.held - asked) };
  const stuckIn = describeOpen(underWay === null ? { pending, ...stuck } : stuck);
  if (stuckIn) {
    const isOnlyHeld = pending + stuck.failed === 0;
    const waits = isOnlyHeld ? { remedy: 'Each waits for something: `feedferry retry SYNC` says what.' } : {};
    items.push({ is: 'undelivered', sync, text: `Not delivered: ${stuckIn}.`, ...waits });
  }
  if (withoutFiles > 0) {
    const text = `${withoutFiles} ${withoutFiles === 1 ? 'record is' : 'records are'} delivered without a file.`;
    items.push({ is: 'withoutFiles', sync, run, text });
  }
  const { questions = 0 } = row;
  if (questions > 0) {
    const text = `${questions === 1 ? '1 question is' : `${questions} questions are`} open.`;
    items.push({ is: 'questions', sync, text });
  }
  const waiting = describeHeld(row);
  if (waiting) items.push({ is: 'reviews', sync, text: waiting });
  const reading = row.recentRuns.findLast(hasCounted);
  const { rejected = 0, read = 0 } = reading?.counts ?? {};
  if (reading && reading.run === run && reading.complete === false) {
    const text = health === 'partial' && why.includes('incomplete') ? why : 'The feed is incomplete.';
    items.push({ is: 'incomplete', sync, run, text: `${text} Missing records are not removed meanwhile.` });
  }
  const open = rejected - acknowledged.rejected;
  if (open > 0) {
    const known = acknowledged.rejected > 0 ? `, ${acknowledged.rejected} more acknowledged` : '';
    const text = `${open} of ${read} records ${open === 1 ? 'was' : 'were'} rejected${known}.`;
    const stillShown = (row.stillShown ?? []).map((sentence) => `${sentence}.`);
    items.push({ is: 'rejected', sync, run: reading?.run, text: [text, ...stillShown].join(' ') });
  }
  return items;
}

/** Names the undelivered records by state; empty if there are none. */
export function describeOpen(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([state, count]) => `${count >= MOST_COUNTED ? `${count} or more` : count} ${state}`).join(', ');
}
