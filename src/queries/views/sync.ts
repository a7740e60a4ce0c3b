import { z } from 'zod';
import { recordStatuses } from '../../core/record.ts';
import { runRow, schedulerView, syncRow } from './overview.ts';
import { acknowledgedView, deedView, instant, undeliveredFileView, view } from './shared.ts';
import { differenceCause } from './verification.ts';

/** A sync with all data that its page shows at once. */
export const syncDetail = view('Sync', {
  ...syncRow.shape,
  /** Text of the sync file without values of environment variables; absent for a TypeScript file. */
  config: z.object({ file: z.string(), text: z.string() }).optional(),
  /** Address or path of the feed, without credentials. */
  source: z.string().optional(),
  /** Codes that the last run has seen, and that lookup tables lack; absent: none. */
  unlisted: z.array(z.string()).optional(),
  scheduler: schedulerView,
  deeds: z.array(deedView),
});

export const runPageView = z.object({
  runs: z.array(runRow),
  /** Cursor of the next page; absent on the last page. */
  next: z.string().optional(),
});

export const recordStatus = z.enum(recordStatuses);

export const recordRow = view('RecordRow', {
  sync: z.string(),
  key: z.string(),
  /** Title of an event, or name of an account. E-mail addresses are masked for viewers. */
  title: z.string(),
  status: recordStatus,
  cmsId: z.number().optional(),
  startsOn: z.string().optional(),
  deliveredAt: instant.optional(),
  missingSince: instant.optional(),
  error: z.object({ code: z.string(), reason: z.string() }).optional(),
  /** The attributes whose files it was delivered without; absent: none. */
  withoutFiles: z.array(z.string()).optional(),
  /** The files that it was delivered without: why, and when they are tried again; absent: none. */
  undeliveredFiles: z.array(undeliveredFileView).optional(),
  /** Who has said that it is not published, and when; absent: nobody. */
  leftOut: z.object({ person: z.string(), at: instant, note: z.string().optional() }).optional(),
  /** What the last verification has found about its item, if it was not delivered since. */
  differs: z.object({ cause: differenceCause, attributes: z.array(z.string()), foundAt: instant }).optional(),
});

/** A page of a list or a search. */
export const recordPageView = z.object({
  records: z.array(recordRow),
  /** Cursor to continue from; absent on the last page. */
  next: z.string().optional(),
  /** Nothing has the words; this has words that differ in a letter. */
  isSimilar: z.literal(true).optional(),
  /** Records that have the words and wait to be created by a held plan; only on the first page of a search by words. */
  waiting: z.array(z.object({ sync: z.string(), run: z.string(), key: z.string(), title: z.string() })).optional(),
  /** Syncs whose names have the words; only on the first page of a search by words. */
  named: z.array(z.string()).optional(),
  /** Rejected records of the last runs that have the words; only on the first page of a search by words. */
  rejected: z
    .array(
      z.object({
        sync: z.string(),
        at: z.string(),
        key: z.string().optional(),
        name: z.string(),
        code: z.string(),
        reason: z.string(),
        remedy: z.string(),
      }),
    )
    .optional(),
});

/** The pictures that the items of a sync have, in pages. */
export const picturesView = view('Pictures', {
  sync: z.string(),
  pictures: z.array(
    recordRow.pick({ key: true, title: true, cmsId: true, status: true, differs: true }).extend({
      attribute: z.string(),
      /** Where a browser loads it. */
      address: z.string(),
      /** Its alternative text; absent: unknown. */
      alt: z.string().optional(),
    }),
  ),
  /** The files of records that are held, and why; only on the first page. */
  waiting: z.array(
    recordRow.pick({ key: true, title: true }).extend({
      attribute: z.string(),
      /** Name of the file. */
      name: z.string(),
      /** Where a browser loads it; absent: only feedferry can read it. */
      address: z.string().optional(),
      reason: z.string(),
    }),
  ),
  next: z.string().optional(),
});

/** The rejections of the last reading that share a code. */
export const rejectGroup = view('RejectGroup', {
  code: z.string(),
  cause: z.string(),
  remedy: z.string(),
  total: z.number(),
  /** The first rejections of the group. */
  first: z.array(
    z.object({
      at: z.string(),
      key: z.string().optional(),
      /** Empty: it is unknown. */
      title: z.string(),
      /** The name under which it is acknowledged: its key, if it has one. */
      name: z.string(),
      reason: z.string(),
      /** The fields of the source, without secrets; absent: they could not be read. */
      fields: z.record(z.string(), z.json()).optional(),
      acknowledged: acknowledgedView.optional(),
    }),
  ),
});

export const rejectsView = view('Rejects', {
  /** null if no run has read records yet. */
  run: z.string().nullable(),
  startedAt: instant.optional(),
  read: z.number(),
  /** How many the run has rejected, if any: more than `total` if the ledger no longer has them. */
  rejected: z.number().optional(),
  total: z.number(),
  groups: z.array(rejectGroup),
});

export type SyncDetailView = z.output<typeof syncDetail>;
export type RunPageView = z.output<typeof runPageView>;
export type RecordRowView = z.output<typeof recordRow>;
export type RecordPageView = z.output<typeof recordPageView>;
export type PicturesView = z.output<typeof picturesView>;
export type RejectGroupView = z.output<typeof rejectGroup>;
export type RejectsView = z.output<typeof rejectsView>;

/** Whether a search has found a record or a sync. */
export function isAnyFound({ records, waiting = [], rejected = [], named = [] }: RecordPageView): boolean {
  return records.length + waiting.length + rejected.length + named.length > 0;
}
