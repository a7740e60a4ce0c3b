import { z } from 'zod';
import { openStatuses } from '../../core/record.ts';
import { runRow } from './overview.ts';
import {
  countsView,
  day,
  decisionView,
  deedView,
  differenceView,
  instant,
  plannedOp,
  problemView,
  runKind,
  undeliveredFileView,
  view,
} from './shared.ts';

/** A run with all data that its page shows at once. */
export const runDetail = view('Run', {
  ...runRow.shape,
  complete: z.boolean(),
  error: problemView.optional(),
  /** Progress while the run is in progress: `done` of `total` records; `total` is absent while the feed is read. */
  progress: z
    .object({
      phase: z.enum(['reading', 'delivering']),
      done: z.number(),
      total: z.number().optional(),
      perSecond: z.number().optional(),
      leftMs: z.number().optional(),
    })
    .optional(),
  /** The feed that was read. */
  feed: z.object({ location: z.string(), bytes: z.number().optional(), reason: z.string().optional() }).optional(),
  warnings: z.array(z.object({ at: z.string(), message: z.string() })),
  /** The first files that records of the sync lack now, if some lacked one at the end of the run. */
  undeliveredFiles: z.array(undeliveredFileView.extend({ key: z.string(), title: z.string().optional() })).optional(),
  /** Number of items of the CMS that the run changed, according to its counts. */
  changes: z.number(),
  /** Id of the run that this run undoes. */
  undoes: z.string().optional(),
  /** Whether later runs have changed all of its items again: nothing is left to undo. */
  isOverwritten: z.literal(true).optional(),
  /** Id of the held run whose plan can be decided now: this run, or a later run with the same changes. */
  heldPlan: z.string().optional(),
  /** Whether the run had a plan to decide that a later run has replaced, undecided. */
  isReplaced: z.literal(true).optional(),
  alerts: z.array(z.object({ kind: z.string(), channel: z.string(), sentAt: instant.optional() })),
  deeds: z.array(deedView),
});

/** One item that a run created, changed or removed. */
export const changeView = view('Change', {
  key: z.string(),
  title: z.string(),
  effect: z.enum(['created', 'updated', 'removed']),
  cmsId: z.number().optional(),
  differences: z.array(differenceView),
});

export const changePage = z.object({ changes: z.array(changeView), next: z.string().optional() });

/** A record that the run could not deliver, with the answer of the CMS. */
export const failureView = view('Failure', {
  key: z.string(),
  title: z.string().optional(),
  status: z.enum(openStatuses),
  code: z.string(),
  reason: z.string(),
  remedy: z.string(),
});

export const failurePage = z.object({ failures: z.array(failureView), next: z.string().optional() });

export const undoPreviewView = view('UndoPreview', {
  run: z.string(),
  sync: z.string(),
  resource: z.enum(['events', 'accounts']),
  changes: z.array(
    z.object({
      op: z.enum(['create', 'restore', 'delete']),
      key: z.string(),
      title: z.string().optional(),
      cmsId: z.number().optional(),
      differences: z.array(differenceView),
    }),
  ),
  skipped: z.array(
    z.object({
      key: z.string(),
      title: z.string().optional(),
      code: z.string(),
      reason: z.string(),
      /** The later run that stands against it. */
      run: z.string().optional(),
    }),
  ),
  /** Records that the run has published as others, and that count as different events then. */
  separated: z.array(z.object({ key: z.string(), from: z.string() })).optional(),
  /** The later runs because of which changes are skipped. */
  laterRuns: z.array(z.object({ run: z.string(), kind: runKind, startedAt: instant })).optional(),
});

/** A plan that waits for a decision. */
export const heldPlanView = view('HeldPlan', {
  run: z.string(),
  sync: z.string(),
  /** null if the file of the sync has mistakes. */
  resource: z.enum(['events', 'accounts']).nullable(),
  /** Identifies this set of changes. An approval with the id of another set is refused. */
  set: z.string(),
  heldAt: instant.optional(),
  /** An earlier rejection of the same changes. */
  decision: decisionView.optional(),
  error: problemView.optional(),
  counts: countsView,
  /** How many more records wait for another answer: an approval does not deliver them; absent: none. */
  asks: z.number().optional(),
  ops: z.object({
    ...{ create: z.number(), createAgain: z.number(), update: z.number(), delete: z.number(), mark: z.number() },
  }),
});

/** One item that a held plan would change. */
export const plannedItem = view('PlannedItem', {
  key: z.string(),
  op: plannedOp,
  title: z.string(),
  /** First day of an event. */
  date: day.optional(),
  at: z.string(),
  cmsId: z.number().optional(),
  /** Address at which people see the item in the CMS. */
  link: z.string().optional(),
  differences: z.array(differenceView),
});

/** What a purge of a sync would delete, in pages. */
export const purgePreviewView = view('PurgePreview', {
  sync: z.string(),
  resource: z.enum(['events', 'accounts']).nullable(),
  /** Number of items that would be deleted. */
  deletes: z.number(),
  /** Number of items that would stay, because they existed before the sync adopted them. */
  adopted: z.number(),
  items: z.array(plannedItem.pick({ key: true, title: true, cmsId: true, link: true }).partial({ title: true })),
  next: z.string().optional(),
});

export const plannedPage = z.object({ items: z.array(plannedItem), next: z.string().optional() });

export type RunDetailView = z.output<typeof runDetail>;
export type ChangeView = z.output<typeof changeView>;
export type ChangePageView = z.output<typeof changePage>;
export type FailurePageView = z.output<typeof failurePage>;
export type UndoPreviewView = z.output<typeof undoPreviewView>;
export type HeldPlanView = z.output<typeof heldPlanView>;
export type PlannedItemView = z.output<typeof plannedItem>;
export type PurgePreviewView = z.output<typeof purgePreviewView>;
export type PlannedPageView = z.output<typeof plannedPage>;
