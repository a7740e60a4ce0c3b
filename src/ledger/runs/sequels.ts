import type { Kysely } from 'kysely';
import type { LedgerTables } from '../database/schema.ts';
import { type HoldDecision, withDecisions } from './decided-runs.ts';
import { type UndoneBy, withUndoing } from './undone-runs.ts';

/** What was done about a run after its end. */
export type Sequel = Partial<UndoneBy> & {
  /** Only of a held run. */
  decision?: HoldDecision;
};

/** Adds to runs whether they were undone, and what was decided about their plans. */
export async function withSequels<Run extends { run: string }>(
  runs: readonly Run[],
  db: Kysely<LedgerTables>,
): Promise<Array<Run & Sequel>> {
  return withDecisions(await withUndoing(runs, db), db);
}
