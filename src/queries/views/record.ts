import { z } from 'zod';
import { differenceView, instant, problemView } from './shared.ts';
import { recordRow } from './sync.ts';

const fields = z.record(z.string(), z.json());

/** What the ledger knows of a record. */
export const recordDetail = recordRow.extend({
  resource: z.enum(['events', 'accounts']),
  /** Place in the feed when it was last read. */
  at: z.string(),
  /** The run that last wanted a change of it. */
  run: z.string(),
  /** What the source wanted last. */
  desired: fields,
  /** What the CMS confirmed last; null: nothing. */
  delivered: fields.nullable(),
  attempts: z.number(),
  retryAt: instant.optional(),
  /** Its item is marked as missing. */
  marked: z.boolean(),
  /** A create was sent and the CMS did not respond. */
  maybeSent: z.boolean(),
  error: problemView.optional(),
  /** Where the item can be seen in the CMS. */
  link: z.string().optional(),
  /** Newest first. */
  history: z.array(
    z.object({
      at: instant,
      run: z.string(),
      outcome: z.string(),
      method: z.string().optional(),
      attributes: z.array(z.string()),
      uploads: z.number(),
      cmsId: z.number().optional(),
      error: problemView.optional(),
      differences: z.array(differenceView),
    }),
  ),
});

/** What the feed has for a record now, and what the next run would do. Reads the feed. */
export const recordSource = z.object({
  location: z.string(),
  complete: z.boolean(),
  verdict: z.object({ is: z.string(), why: z.string(), next: z.string() }),
  found: z.array(
    z.object({
      at: z.string(),
      is: z.enum(['desired', 'rejected', 'skipped']),
      fields: fields.optional(),
      payload: fields.optional(),
      files: z.array(z.object({ attribute: z.string(), name: z.string() })),
      warnings: z.array(z.string()),
      problem: problemView.optional(),
    }),
  ),
  differences: z.array(differenceView),
});

/** The item as the CMS has it now. Requests it. */
export const recordLive = z.object({
  is: z.enum(['there', 'missing', 'never', 'unreachable']),
  /** Why it is unknown. */
  problem: problemView.optional(),
  /** The attributes that feedferry delivered, as they are now. */
  attributes: fields,
  /** From delivered to live. */
  differences: z.array(differenceView),
});

export type RecordDetailView = z.output<typeof recordDetail>;
export type RecordSourceView = z.output<typeof recordSource>;
export type RecordLiveView = z.output<typeof recordLive>;
