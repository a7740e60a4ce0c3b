import { type RawBuilder, sql } from 'kysely';
import type { ReportedKind, RunKind } from '../database/schema.ts';

/** What a run that is led does. */
export type RunWork = Exclude<RunKind, 'plan' | 'backfill'>;

/** Of runs: those that apply what a feed had, read by themselves or by the held run that they approve. */
export const appliesFeed: RawBuilder<boolean> = sql`kind in ('run', 'approve')`;

/** Returns the kind as JSON and metrics name it: approving belongs to a `run`, adopting is a `retry`. */
export function reportedKind(kind: RunKind): ReportedKind {
  if (kind === 'approve') return 'run';
  return kind === 'adopt' ? 'retry' : kind;
}
