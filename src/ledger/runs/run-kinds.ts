import { type RawBuilder, sql } from 'kysely';
import type { ReportedKind, RunKind } from '../../core/run.ts';

/** The kinds of runs that change something: a sync has one of them at a time. */
export type RunWork = Exclude<RunKind, 'plan'>;

/** Condition for runs that apply a feed: either read by the run itself, or by the held run that it approves. */
export const appliesFeed: RawBuilder<boolean> = sql`kind in ('run', 'approve')`;

/** Returns the kind as JSON and metrics name it. */
export function reportedKind(kind: RunKind): ReportedKind {
  if (kind === 'approve') return 'run';
  return kind === 'adopt' ? 'retry' : kind;
}
