import { z } from 'zod';
import { countsView, instant, runKind, runStatus } from './shared.ts';

/** A past run in a list or chart. */
export const runRow = z.object({
  run: z.string(),
  sync: z.string(),
  kind: runKind,
  status: runStatus,
  startedAt: instant,
  finishedAt: instant.optional(),
  durationMs: z.number(),
  counts: countsView,
});

/** State of the CMS, as all processes see it. */
export const targetView = z.object({
  baseUrl: z.string(),
  state: z.enum(['open', 'paused', 'stopped']),
  /** When a pause ends. */
  until: instant.optional(),
  /** Why it is paused or stopped. */
  reason: z.string().optional(),
  /** Requests that may be in flight now, over all workers; absent: not limited or not known. */
  inFlightLimit: z.number().optional(),
  requestsPerSecond: z.number().optional(),
});

/** Undelivered records of a sync and state that are counted at most: 1000 means "1000 or more". */
export const MOST_COUNTED = 1000;

export const healthWord = z.enum(['ok', 'running', 'new', 'partial', 'late', 'drift', 'held', 'failed', 'broken']);

export const syncRow = z.object({
  sync: z.string(),
  resource: z.enum(['events', 'accounts']).nullable(),
  health: healthWord,
  /** One sentence; empty if all is well. */
  why: z.string(),
  /** In words: "every 15 minutes"; null: it runs on request only. */
  schedule: z.string().nullable(),
  /** In the past if it is due; null: no schedule, or it cannot run. */
  nextRunAt: instant.nullable(),
  /** Id of the run in progress. */
  underWay: z.string().nullable(),
  /** null: it has never run. */
  lastRun: runRow.nullable(),
  lastSuccessAt: instant.nullable(),
  /** Counted up to 1000 each. */
  undelivered: z.object({ pending: z.number(), failed: z.number(), held: z.number() }),
  /** Id of a held run that waits for a decision. */
  waits: z.string().nullable(),
  /** An unfinished backfill; `total` is null while it reads. */
  backfill: z.object({ run: z.string(), done: z.number(), total: z.number().nullable() }).nullable(),
  /** What the last verification found to differ, as a sentence. */
  drift: z.string().nullable(),
  /** Mistakes in its file, so that it cannot run. */
  mistakes: z.array(z.string()),
  /** The last 30 runs that applied the feed, oldest first; fewer if there are more than 200 syncs. */
  recentRuns: z.array(runRow),
});

/** Something that a person has to look at, the most urgent first. */
export const attentionItem = z.object({
  is: z.enum(['held', 'failed', 'broken', 'stopped', 'paused', 'late', 'drift', 'rejected', 'undelivered', 'orphan']),
  sync: z.string().optional(),
  run: z.string().optional(),
  text: z.string(),
});

export const overviewView = z.object({
  at: instant,
  timezone: z.string(),
  target: targetView,
  syncs: z.array(syncRow),
  attention: z.array(attentionItem),
  /** Syncs without a file that still have items in the CMS. */
  orphans: z.array(
    z.object({
      sync: z.string(),
      items: z.number(),
      /** The sync that will take them over. */
      heir: z.string().optional(),
    }),
  ),
});

export type RunRowView = z.output<typeof runRow>;
export type TargetStateView = z.output<typeof targetView>;
export type HealthWord = z.output<typeof healthWord>;
export type SyncRowView = z.output<typeof syncRow>;
export type AttentionItem = z.output<typeof attentionItem>;
export type OverviewView = z.output<typeof overviewView>;
