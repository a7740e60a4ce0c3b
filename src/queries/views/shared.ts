import { z } from 'zod';
import { type CountName, zeroCounts } from '../../core/run.ts';

/** Defines a view, with its name in the description of the API. */
export function view<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id });
}

/** ISO instant in UTC. Pages show it in the site's zone. */
export const instant = z.iso.datetime();

/** ISO date, such as 2027-03-01. */
export const day = z.iso.date();

const count = z.number().int().min(0);

export const countsView = view('Counts', {
  ...(Object.fromEntries(Object.keys(zeroCounts()).map((name) => [name, count])) as Record<CountName, typeof count>),
  /** Only of a run that broke off: the records for which nothing was sent. */
  notSent: count.optional(),
});

export const runStatus = z.enum(['planned', 'running', 'success', 'partial', 'failed', 'held']);

export const runKind = z.enum(['run', 'plan', 'retry', 'undo', 'purge', 'backfill']);

/** What a plan does with an item. `createAgain`: it was deleted in the CMS. */
export const plannedOp = z.enum(['create', 'createAgain', 'update', 'delete', 'mark']);

/** A coded error with its remedy. */
export const problemView = view('Problem', { code: z.string(), message: z.string(), remedy: z.string() });

/** A file that a record was delivered without, and why. */
export const undeliveredFileView = z.object({
  attribute: z.string(),
  code: z.string(),
  reason: z.string(),
  /** When it was tried first. */
  since: instant,
  tries: z.number(),
  /** Not tried before; absent: the next run tries again. */
  retryAt: instant.optional(),
  /** The item keeps the file that was delivered before. */
  keepsEarlier: z.literal(true).optional(),
});

/** An attribute before and after a change. A value is absent if it is unknown or there is none. */
export const differenceView = view('Difference', {
  attribute: z.string(),
  from: z.json().optional(),
  to: z.json().optional(),
  /** Addresses of the pictures of an attribute that is one. */
  pictures: z.object({ from: z.string().optional(), to: z.string().optional() }).optional(),
});

/** An entry of the history: who requested an action, when and why. */
export const deedView = view('Deed', {
  at: instant,
  deed: z.enum([
    ...(['run', 'retry', 'approve', 'reject', 'undo', 'adopt', 'purge', 'release'] as const),
    ...(['pause', 'resume', 'cancel', 'edit'] as const),
  ]),
  /** The name given at log-in, or the user of the machine. */
  by: z.string(),
  via: z.enum(['console', 'api', 'cli']),
  sync: z.string(),
  /** The run that the action began, cancelled or rejected; absent: it is about the sync. */
  run: z.string().optional(),
  /** The approved or undone run, if it is another run. */
  about: z.string().optional(),
  reason: z.string().optional(),
  /** Of an edit of the sync file: the lines that it has removed and added. */
  patch: z.string().optional(),
});

/** Who knows of a problem and leaves it as it is, until its reason changes. */
export const acknowledgedView = z.object({
  kind: z.enum(['rejected', 'withoutFile', 'differs']),
  by: z.string(),
  at: instant,
  note: z.string().optional(),
});

/** What a person has decided about the plan of a held run. */
export const decisionView = view('Decision', {
  is: z.enum(['approved', 'rejected']),
  by: z.string(),
  via: z.enum(['console', 'api', 'cli']),
  at: instant,
  reason: z.string().optional(),
  /** The run that applies the approved plan. */
  appliedBy: z.string().optional(),
});

export type AcknowledgedView = z.output<typeof acknowledgedView>;
export type DecisionView = z.output<typeof decisionView>;
export type CountsView = z.output<typeof countsView>;
export type RunStatusName = z.output<typeof runStatus>;
export type ProblemView = z.output<typeof problemView>;
export type UndeliveredFileView = z.output<typeof undeliveredFileView>;
export type DifferenceView = z.output<typeof differenceView>;
export type DeedView = z.output<typeof deedView>;
