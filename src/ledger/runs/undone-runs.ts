import { type Kysely, sql } from 'kysely';
import type { RunCounts, RunStatus } from '../../core/run.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { all, cell } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
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
    return all<UndoRow>(db)`
      select id, undoes, status, counts from runs
      where ${isOneOf('undoes', ids)} and finished_at is not null order by started_at desc
    `;
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

/** Runs whose changes are no longer in effect. */
export function createOverwrittenStore({ db }: LedgerDatabase) {
  return { isOverwritten };

  /**
   * Returns whether later runs have changed all items of a run, or have undone its changes: then nothing is left to undo. Later runs
   * that were undone do not count, nor do their undos.
   */
  async function isOverwritten(run: string): Promise<boolean> {
    const hasEffect = sql`outcome in ('created', 'updated', 'removed') and method is not null`;
    const changes = sql`select 1 from attempts as change where run = ${run} and ${hasEffect}`;
    const isOverwritten = await cell<boolean | 0 | 1>(db)`
      select exists (${changes}) and not exists (${changes} and not exists (
        select 1 from attempts as later join runs on runs.id = later.run
        where later.record = change.record and later.seq > change.seq and ${hasEffect}
          and later.run <> ${run} and (runs.undoes is null or runs.undoes = ${run})
          and not exists (select 1 from runs as undo where undo.undoes = runs.id)
      ))
    `;
    return Boolean(isOverwritten);
  }
}
