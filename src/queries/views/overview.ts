import { z } from 'zod';
import { figureOf } from '../../core/text/figures.ts';
import { countsView, decisionView, instant, runKind, runStatus, view } from './shared.ts';

/** A past run in a list or chart. */
export const runRow = view('RunRow', {
  run: z.string(),
  sync: z.string(),
  kind: runKind,
  status: runStatus,
  /** Whether the run counts as a success: a partial one may. */
  succeeded: z.boolean(),
  /** Whether it has read records of its source. */
  hasRead: z.boolean(),
  /** Whether it has read all of its source; only then, records may count as missing. */
  complete: z.boolean(),
  /** Whether all changes of the run were undone, or some, and by which run. */
  undone: z.literal(true).optional(),
  undonePartly: z.literal(true).optional(),
  undoneBy: z.string().optional(),
  /** Only of a held run; a rejection also counts for later runs that are held for the same changes. */
  decision: decisionView.optional(),
  /** Who asked for the run; absent: a schedule. */
  asked: z.object({ by: z.string(), via: z.enum(['console', 'api', 'cli']) }).optional(),
  /** Who cancelled the run, and why, in one sentence. */
  cancelled: z.string().optional(),
  startedAt: instant,
  finishedAt: instant.optional(),
  durationMs: z.number(),
  counts: countsView,
  /** How many records of the sync were delivered without a file, at the end of the run; absent: none. */
  withoutFiles: z.number().optional(),
  /** Why the run as a whole failed or is held. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

/** State of the CMS, as all processes see it. */
export const targetView = view('Target', {
  baseUrl: z.string(),
  state: z.enum(['open', 'paused', 'stopped']),
  /** When a pause ends. */
  until: instant.optional(),
  /** Why the CMS is paused or stopped. */
  reason: z.string().optional(),
  /** Number of requests that all workers together may have in flight now; absent if there is no limit or it is not known. */
  inFlightLimit: z.number().optional(),
  requestsPerSecond: z.number().optional(),
});

/** Limit for counting the undelivered records of a sync and state: 1000 means "1000 or more". */
export const MOST_COUNTED = 1000;

export const healthWord = z.enum([
  'ok',
  'running',
  'new',
  'partial',
  'late',
  'drift',
  'held',
  'decided',
  'failed',
  'broken',
  'paused',
]);

/** Whether a process runs syncs on their schedules, and since when it does or does not; `since` is absent if none ever did. */
export const schedulerView = view('Scheduler', { isRunning: z.boolean(), since: instant.optional() });

/** A source of a sync that has several, and its last reading; without one, it was not read yet. */
export const sourceView = view('Source', {
  source: z.string(),
  connector: z.string().optional(),
  /** Address or path of the feed, without credentials. */
  location: z.string().optional(),
  /** It is no longer in the sync file; its records stay. */
  isFormer: z.literal(true).optional(),
  readAt: instant.optional(),
  records: z.number().optional(),
  rejected: z.number().optional(),
  complete: z.boolean().optional(),
  /** Why it was not read, or not completely. */
  reason: z.string().optional(),
  /** Present if it could not be read at all. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export const syncRow = view('SyncRow', {
  sync: z.string(),
  resource: z.enum(['events', 'accounts']).nullable(),
  health: healthWord,
  /** Reason for `health` in one sentence; empty if all is well. */
  why: z.string(),
  /** Schedule in words, such as "every 15 minutes"; null if the sync runs on request only. */
  schedule: z.string().nullable(),
  /** In the past if the sync is due; null if the sync has no schedule, is paused or cannot run. */
  nextRunAt: instant.nullable(),
  /** Id of the run in progress. */
  underWay: z.string().nullable(),
  /** null if the sync has never run. */
  lastRun: runRow.nullable(),
  lastSuccessAt: instant.nullable(),
  /** Whether no run has succeeded for longer than `staleAfter` allows. */
  isLate: z.boolean(),
  /** When the last verification with a certain result began; null: there was none. */
  verifiedAt: instant.nullable(),
  /** Undelivered records by state, each counted up to 1000. */
  undelivered: z.object({ pending: z.number(), failed: z.number(), held: z.number() }),
  /** How many records are delivered without a file that the source has; absent: none. */
  withoutFiles: z.number().optional(),
  /** The records that are cancelled, private or deleted in the feed and still on the site, a sentence for each reason; absent: none. */
  stillShown: z.array(z.string()).optional(),
  /** Its sources, best first, if it has several. */
  sources: z.array(sourceView).optional(),
  /** How many questions whether records, or events of its sources, are the same are open; absent: none is asked. */
  questions: z.number().optional(),
  /** How many records are held until a person answers: whether they are the same as others, because they are new, and by a rule; absent: none. */
  heldFor: z.object({ same: z.number(), new: z.number(), rule: z.number() }).optional(),
  /** Who paused the sync, when and why; absent: it is not paused. */
  paused: z
    .object({ by: z.string(), via: z.enum(['console', 'api', 'cli']), since: instant, reason: z.string() })
    .optional(),
  /** Id of a held run that waits for a decision. */
  waits: z.string().nullable(),
  /** Summary of the differences that the last verification found. */
  drift: z.string().nullable(),
  /** How many differences that are. */
  differences: z.number(),
  /** How many of the rejections of the last run, records without a file, and differences a person has acknowledged. */
  acknowledged: z.object({ rejected: z.number(), withoutFile: z.number(), differs: z.number() }),
  /** Mistakes in the file of the sync, which then cannot run. */
  mistakes: z.array(z.string()),
  /** The last 30 runs that applied the feed, oldest first; fewer if there are more than 200 syncs. */
  recentRuns: z.array(runRow),
});

/** Something that needs a person's attention. */
export const attentionItem = view('Attention', {
  is: z.enum([
    ...(['held', 'failed', 'broken', 'stopped', 'paused', 'late', 'drift', 'rejected', 'undelivered'] as const),
    ...(['withoutFiles', 'questions', 'reviews', 'orphan', 'unscheduled', 'incomplete'] as const),
  ]),
  sync: z.string().optional(),
  run: z.string().optional(),
  text: z.string(),
  /** Code of the error that is the reason. */
  code: z.string().optional(),
  /** What to do about it. Commands are between backticks. */
  remedy: z.string(),
});

/** Kinds of attention because of which syncs do not work at all; the others are warnings. */
export const URGENT: ReadonlySet<string> = new Set<z.output<typeof attentionItem>['is']>([
  'stopped',
  'unscheduled',
  'failed',
  'broken',
  'late',
]);

export const overviewView = view('Overview', {
  at: instant,
  timezone: z.string(),
  target: targetView,
  scheduler: schedulerView,
  syncs: z.array(syncRow),
  attention: z.array(attentionItem),
  /** Syncs without a file that still have items in the CMS. */
  orphans: z.array(
    z.object({
      sync: z.string(),
      items: z.number(),
      /** The sync that will take over these items. */
      heir: z.string().optional(),
    }),
  ),
});

export type RunRowView = z.output<typeof runRow>;
export type TargetStateView = z.output<typeof targetView>;
export type HealthWord = z.output<typeof healthWord>;
export type SchedulerView = z.output<typeof schedulerView>;
export type SyncRowView = z.output<typeof syncRow>;
export type AttentionItem = z.output<typeof attentionItem>;
export type OverviewView = z.output<typeof overviewView>;
export type SourceView = z.output<typeof sourceView>;

/** What waits until a person publishes it or leaves it out; empty: nothing. */
export function describeHeld({ heldFor, resource }: Pick<SyncRowView, 'heldFor' | 'resource'>): string {
  const noun = resource?.replace(/s$/, '') ?? 'record';
  const { new: fresh = 0, rule = 0 } = heldFor ?? {};
  return [
    fresh > 0 &&
      `${figureOf(fresh, `new ${noun}`)} ${fresh === 1 ? 'waits' : 'wait'}; ${fresh === 1 ? 'it is not' : 'none is'} on the site.`,
    rule > 0 &&
      `${figureOf(rule, noun)} ${rule === 1 ? 'is' : 'are'} held by a rule; the site keeps what it has of ${rule === 1 ? 'it' : 'them'}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
