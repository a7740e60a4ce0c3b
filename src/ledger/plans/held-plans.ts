import { sql } from 'kysely';
import { sha256 } from '../../core/hash.ts';
import type { RunCounts } from '../../core/run.ts';
import type { LedgerDatabase, StagedRow } from '../database/schema.ts';

/** A held run whose plan is kept, so that it can be approved. */
export interface HeldPlan {
  run: string;
  sync: string;
  /** Hash of the set that it is held for. */
  set: string;
}

/** Plans that guards hold back, until somebody approves them or a later run makes them void. One for each sync at most. */
export function createHoldStore({ db }: LedgerDatabase) {
  return { keepHeld, heldPlan, heldSet, heldPlans, handOver, handBack, dropHeld };

  /** Keeps the staged plan of a run that is about to be held for its changes of these kinds, instead of any older one. */
  async function keepHeld(run: string, sync: string, heldFor: ReadonlyArray<StagedRow['op']>): Promise<void> {
    const rows = await db
      .selectFrom('staged_changes')
      .select(['key', 'op', 'desired'])
      .where('run', '=', run)
      .where('op', 'in', heldFor)
      .orderBy('key')
      .execute();
    await dropHeld(sync);
    await db
      .updateTable('runs')
      .set({ held_set: sha256(JSON.stringify(rows.map(({ key, op, desired }) => [key, op, desired]))) })
      .where('id', '=', run)
      .execute();
  }

  /** The plan of a sync that can be approved. */
  async function heldPlan(sync: string): Promise<HeldPlan | undefined> {
    return (await heldPlans()).find((hold) => hold.sync === sync);
  }

  /** The set that a run was held for, whether its plan is still kept or not. */
  async function heldSet(run: string): Promise<string | undefined> {
    const row = await db.selectFrom('runs').select('held_set').where('id', '=', run).executeTakeFirst();
    return row?.held_set ?? undefined;
  }

  /** All plans that can be approved, by the names of their syncs. */
  async function heldPlans(): Promise<HeldPlan[]> {
    const rows = await kept().select(['id as run', 'sync', 'held_set']).orderBy('sync').execute();
    return rows.map(({ run, sync, held_set }) => ({ run, sync, set: held_set ?? '' }));
  }

  /**
   * Makes the kept plan of a held run that of another run, with all that was found out about it.
   * @returns its counts
   */
  async function handOver(held: string, run: string): Promise<RunCounts> {
    return db.transaction().execute(async (transaction) => {
      await transaction.updateTable('staged_changes').set({ run }).where('run', '=', held).execute();
      const found = await transaction
        .selectFrom('runs')
        .select(['counts', 'receipt', 'complete', 'warnings', 'fingerprint'])
        .where('id', '=', held)
        .executeTakeFirstOrThrow();
      await transaction.updateTable('runs').set(found).where('id', '=', run).execute();
      await sql`
        insert into rejections (run, seq, place, code, reason, key, fields)
        select ${run}, seq, place, code, reason, key, fields from rejections where run = ${held}
      `.execute(transaction);
      return JSON.parse(found.counts) as RunCounts;
    });
  }

  /** Gives the plan back to the run that was held for it: it could not be applied. */
  async function handBack(run: string, held: string): Promise<void> {
    await db.updateTable('staged_changes').set({ run: held }).where('run', '=', run).execute();
  }

  /** Forgets the kept plan of a sync: what it was made for has changed. */
  async function dropHeld(sync: string): Promise<void> {
    await db
      .deleteFrom('staged_changes')
      .where('run', 'in', kept().select('id').where('sync', '=', sync))
      .execute();
  }

  function kept() {
    return db
      .selectFrom('runs')
      .where('status', '=', 'held')
      .where('held_set', 'is not', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('staged_changes').select('staged_changes.key').whereRef('staged_changes.run', '=', 'runs.id'),
        ),
      );
  }
}
