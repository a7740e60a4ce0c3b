import type { Kysely } from 'kysely';
import type { RunCounts, RunStatus } from '../../core/run.ts';
import type { LedgerTables } from '../database/schema.ts';
import { type HoldDecision, withDecisions } from './decided-runs.ts';

/** What an undo has made of a run; one of `undone` and `undonePartly` is present. */
export interface UndoneBy {
  /** All changes of the run were undone. */
  undone?: true;
  /** Some were; others could not be undone. */
  undonePartly?: true;
  /** The undo. */
  undoneBy: string;
}

/** What was done about a run after its end. */
export type Sequel = Partial<UndoneBy> & {
  /** Only of a held run. */
  decision?: HoldDecision;
};

interface UndoRow {
  id: string;
  undoes: string | null;
  status: RunStatus;
  counts: string;
}

/** Adds to runs whether they were undone, and what was decided about their plans. */
export async function withSequels<Run extends { run: string }>(
  runs: readonly Run[],
  db: Kysely<LedgerTables>,
): Promise<Array<Run & Sequel>> {
  return withDecisions(await withUndoing(runs, db), db);
}

/** Adds to runs whether they were undone. */
export async function withUndoing<Run extends { run: string }>(
  runs: readonly Run[],
  db: Kysely<LedgerTables>,
): Promise<Array<Run & Partial<UndoneBy>>> {
  if (runs.length === 0) return [];
  const undos = await undosOf(runs.map(({ run }) => run));
  // The undo of an undo takes it back.
  const undosOfUndos = undos.length === 0 ? [] : await undosOf(undos.map(({ id }) => id));
  const inForce = undos.filter(
    ({ id }) => !undosOfUndos.some(({ undoes, status }) => undoes === id && status === 'success'),
  );
  return runs.map((run) => ({ ...run, ...undoingBy(inForce.filter(({ undoes }) => undoes === run.run)) }));

  function undosOf(ids: readonly string[]): Promise<UndoRow[]> {
    return db
      .selectFrom('runs')
      .select(['id', 'undoes', 'status', 'counts'])
      .where('undoes', 'in', ids)
      .where('finished_at', 'is not', null)
      .orderBy('started_at', 'desc')
      .execute();
  }
}

/** @param undos of one run, the last first */
export function undoingBy(undos: ReadonlyArray<Pick<UndoRow, 'id' | 'status' | 'counts'>>): UndoneBy | undefined {
  const whole = undos.find(({ status }) => status === 'success');
  if (whole) return { undone: true, undoneBy: whole.id };
  const partly = undos.find(({ counts }) => hasUndone(JSON.parse(counts) as RunCounts));
  return partly && { undonePartly: true, undoneBy: partly.id };
}

function hasUndone({ created, updated, deleted }: RunCounts): boolean {
  return created + updated + deleted > 0;
}
