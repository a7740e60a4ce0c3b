import { z } from 'zod';
import { acknowledgedView, differenceView, instant, plannedOp, problemView, view } from './shared.ts';
import { recordRow } from './sync.ts';

const fields = z.record(z.string(), z.json());

/**
 * Where the value of an attribute comes from, if not from a field of the feed: `feedferry` sets it (the external id), a
 * `constant` of the sync file, its `default`, or `derived` from the start and the end.
 */
export const setByView = z.enum(['feedferry', 'constant', 'default', 'derived']);

/** A file that the source has for an attribute. */
const sourceFile = z.object({
  attribute: z.string(),
  name: z.string(),
  /** Address of the file on the web. */
  address: z.string().optional(),
  /** Address of the file, if it is a picture that browsers can load. */
  picture: z.string().optional(),
});

const pictures = z.record(z.string(), z.string());

/** The records of several sources that are one event. */
const eventView = z.object({
  /** Key of the record that it is published as; absent: it waits for an answer. */
  publishedAs: z.string().optional(),
  /** The source that publishes it. */
  publisher: z.string().optional(),
  /** Attribute → the source that gives its value, if it is not the publisher. */
  givenBy: z.record(z.string(), z.string()),
  members: z.array(
    z.object({
      key: z.string(),
      source: z.string(),
      at: z.string(),
      is: z.enum(['publisher', 'covered', 'astray', 'missing', 'withdrawn', 'waiting']),
    }),
  ),
  /** The open questions about it. */
  questions: z.array(z.object({ id: z.string(), reason: z.string() })),
});

/** A record as the ledger has it. */
export const recordDetail = view('Record', {
  ...recordRow.shape,
  resource: z.enum(['events', 'accounts']),
  /** Place of the record when the feed was last read. */
  at: z.string(),
  /** The run that last planned a change of the record. */
  run: z.string(),
  /** The payload that the source last asked for. */
  desired: fields,
  /** The payload that the CMS last confirmed; null if it has confirmed none. */
  delivered: fields.nullable(),
  /** Addresses of the delivered pictures, by their attributes. */
  pictures,
  /** The files that the source last had, and whether the CMS has them. */
  files: z.array(sourceFile.extend({ isDelivered: z.boolean() })),
  /** Attributes whose values come from no field of the feed. */
  setBy: z.record(z.string(), setByView),
  /** Attributes that were delivered, and that the CMS ignored; absent: none. */
  ignored: z.array(z.string()).optional(),
  attempts: z.number(),
  retryAt: instant.optional(),
  /** Whether the item is marked as missing. */
  marked: z.boolean(),
  /** Whether a create was sent to which the CMS did not respond. */
  maybeSent: z.boolean(),
  error: problemView.optional(),
  /** Problems of the record that a person has acknowledged; absent: none. */
  acknowledged: z.array(acknowledgedView).optional(),
  /** The change of the record in a plan that waits for a decision, and the run of the plan. */
  waiting: z.object({ run: z.string(), op: plannedOp }).optional(),
  /** Only of a sync with several sources: which of them have the event, and what each gives. */
  event: eventView.optional(),
  /** Address at which people see the item in the CMS. */
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

/** The record as the feed has it now, and what the next run would do. The query reads the feed. */
export const recordSource = view('RecordSource', {
  location: z.string(),
  complete: z.boolean(),
  /** Why it was not read completely. */
  reason: z.string().optional(),
  verdict: z.object({ is: z.string(), why: z.string(), next: z.string() }),
  found: z.array(
    z.object({
      at: z.string(),
      is: z.enum(['desired', 'rejected', 'skipped']),
      fields: fields.optional(),
      payload: fields.optional(),
      files: z.array(sourceFile),
      warnings: z.array(z.string()),
      problem: problemView.optional(),
    }),
  ),
  differences: z.array(differenceView),
});

export type SetBy = z.output<typeof setByView>;
export type EventView = z.output<typeof eventView>;
export type RecordDetailView = z.output<typeof recordDetail>;
export type RecordSourceView = z.output<typeof recordSource>;
