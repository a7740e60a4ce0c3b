import { siteTime } from '../../core/dates/site-time.ts';
import {
  type AttentionItem,
  MOST_COUNTED,
  type OverviewView,
  type SchedulerView,
  type SyncRowView,
  type TargetStateView,
} from '../views/overview.ts';
import { PLAN_WAITS } from './sync-health.ts';
import { hasCounted } from './sync-states.ts';

type Kind = AttentionItem['is'];

/** Kinds of items, the most urgent first. */
const URGENCY: Kind[] = [
  ...([
    'stopped',
    'unscheduled',
    'held',
    'failed',
    'broken',
    'late',
    'paused',
    'drift',
    'undelivered',
    'incomplete',
    'rejected',
  ] as const),
  ...(['questions', 'withoutFiles', 'orphan'] as const),
];

/** Returns the items that need a person's attention, the most urgent first. */
export function attentionFor({
  target,
  syncs,
  orphans,
  scheduler,
  timezone,
}: Pick<OverviewView, 'target' | 'syncs' | 'orphans' | 'scheduler' | 'timezone'>) {
  const items = [
    ...ofTarget(target),
    ...ofScheduler(scheduler, syncs, timezone),
    ...syncs.flatMap(ofSync),
    ...orphans.map(({ sync, items: count, heir }): AttentionItem => {
      const then = heir
        ? `The next run of ${heir} takes them over.`
        : 'They are no longer updated. Rename its file back, or purge or release them.';
      return { is: 'orphan', sync, text: `There is no sync file, but ${count} items are in the CMS. ${then}` };
    }),
  ];
  return items.toSorted((one, other) => URGENCY.indexOf(one.is) - URGENCY.indexOf(other.is));
}

function ofTarget({ state, reason = '' }: TargetStateView): AttentionItem[] {
  if (state === 'stopped') return [{ is: 'stopped', text: `The CMS refuses all requests: ${reason}` }];
  return state === 'paused' ? [{ is: 'paused', text: `Requests to the CMS are paused: ${reason}` }] : [];
}

/** Without any schedule, or if cron runs the syncs, no scheduler is missing. */
function ofScheduler(
  { isRunning, since }: SchedulerView,
  syncs: readonly SyncRowView[],
  timezone: string,
): AttentionItem[] {
  if (isRunning || since === undefined || syncs.every(({ nextRunAt }) => nextRunAt === null)) return [];
  const text = `No scheduler is running since ${siteTime(since, timezone)}, so no sync runs by itself.`;
  return [{ is: 'unscheduled', text }];
}

function ofSync(row: SyncRowView): AttentionItem[] {
  const { sync, health, why, undelivered, underWay, drift, acknowledged } = row;
  const withoutFiles = (row.withoutFiles ?? 0) - acknowledged.withoutFile;
  // A run in progress has not counted all records yet.
  const last = row.recentRuns.findLast(({ finishedAt }) => finishedAt !== undefined);
  const run = last?.run;
  const items: AttentionItem[] = [];
  if (row.waits !== null) {
    const text = health === 'held' && run === row.waits ? `${why} It waits for a decision.` : PLAN_WAITS;
    items.push({ is: 'held', sync, run: row.waits, text });
  } else if (health === 'held') items.push({ is: 'held', sync, run, text: why });
  if (health === 'broken') items.push({ is: 'broken', sync, text: row.mistakes[0] ?? why });
  if (health === 'failed' || health === 'late') items.push({ is: health, sync, run, text: why });
  if (drift !== null && row.differences > acknowledged.differs) {
    items.push({ is: 'drift', sync, text: `The CMS differs from what was delivered: ${drift}.` });
  }
  const { pending, ...stuck } = undelivered;
  const stuckIn = describeOpen(underWay === null ? undelivered : stuck);
  if (stuckIn) items.push({ is: 'undelivered', sync, text: `Not delivered: ${stuckIn}.` });
  if (withoutFiles > 0) {
    const text = `${withoutFiles} ${withoutFiles === 1 ? 'record is' : 'records are'} delivered without a file.`;
    items.push({ is: 'withoutFiles', sync, run, text });
  }
  const { questions = 0 } = row;
  if (questions > 0) {
    const text = `${questions === 1 ? '1 question is' : `${questions} questions are`} open: are these the same?`;
    items.push({ is: 'questions', sync, text });
  }
  const reading = row.recentRuns.findLast(hasCounted);
  const { rejected = 0, read = 0 } = reading?.counts ?? {};
  if (reading && reading.run === run && reading.complete === false) {
    const text = health === 'partial' && why.includes('incomplete') ? why : 'The feed is incomplete.';
    items.push({ is: 'incomplete', sync, run, text: `${text} Missing records are not removed meanwhile.` });
  }
  const open = rejected - acknowledged.rejected;
  if (open > 0) {
    const known = acknowledged.rejected > 0 ? `, ${acknowledged.rejected} more acknowledged` : '';
    items.push({
      is: 'rejected',
      sync,
      run: reading?.run,
      text: [
        `${open} of ${read} records ${open === 1 ? 'was' : 'were'} rejected${known}`,
        ...(row.stillShown ?? []),
        '',
      ]
        .join('. ')
        .trim(),
    });
  }
  return items;
}

/** Names the undelivered records by state; empty if there are none. */
export function describeOpen(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([state, count]) => `${count >= MOST_COUNTED ? `${count} or more` : count} ${state}`).join(', ');
}
