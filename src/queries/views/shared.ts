import { z } from 'zod';
import { zeroCounts } from '../../core/run.ts';

/** ISO instant in UTC. Pages show it in the site's zone. */
export const instant = z.iso.datetime();

/** ISO date, such as 2027-03-01. */
export const day = z.iso.date();

const count = z.number().int().min(0);

export const countsView = z.object(
  Object.fromEntries(Object.keys(zeroCounts()).map((name) => [name, count])) as Record<
    keyof ReturnType<typeof zeroCounts>,
    typeof count
  >,
);

export const runStatus = z.enum(['planned', 'running', 'success', 'partial', 'failed', 'held']);

export const runKind = z.enum(['run', 'plan', 'retry', 'undo', 'purge', 'backfill', 'slice']);

/** A coded error with what to do about it. */
export const problemView = z.object({ code: z.string(), message: z.string(), remedy: z.string() });

/** One attribute as it was and as it is or will be; absent: unknown, or none. */
export const differenceView = z.object({
  attribute: z.string(),
  from: z.json().optional(),
  to: z.json().optional(),
});

/** Who asked for something, when and why. */
export const deedView = z.object({
  at: instant,
  deed: z.enum(['run', 'retry', 'approve', 'reject', 'undo', 'adopt', 'purge', 'release']),
  /** The name given at log-in, or the user of the machine. */
  by: z.string(),
  via: z.enum(['console', 'api', 'cli']),
  sync: z.string(),
  /** The run that it began; of a rejection, the run that was rejected. */
  run: z.string(),
  /** The run that it is about, if that is another one: the approved or undone run. */
  about: z.string().optional(),
  reason: z.string().optional(),
});

export type CountsView = z.output<typeof countsView>;
export type RunStatusName = z.output<typeof runStatus>;
export type ProblemView = z.output<typeof problemView>;
export type DifferenceView = z.output<typeof differenceView>;
export type DeedView = z.output<typeof deedView>;
