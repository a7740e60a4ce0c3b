import { type NotNull, sql } from 'kysely';
import { sha256 } from '../../core/hash.ts';
import type { RunCounts } from '../../core/run.ts';
import type { LedgerDatabase, StagedRow } from '../database/schema.ts';
import { type HoldDecision, withDecisions } from '../runs/decided-runs.ts';
import { copyFindings } from '../runs/last-reading.ts';
import { type PlannedEffect, plannedEffect } from './planned-effect.ts';

/** A held run whose plan is kept, so that it can be approved. */
export interface HeldPlan {
  run: string;
  sync: string;
  /** Hash of the changes for which the run is held. */
  set: string;
}

/** A held plan, with the earlier rejection of the same changes, if any. */
export interface ListedHeldPlan extends HeldPlan {
  decision?: HoldDecision;
}

/** What a plan that waits for a decision would do with a record. */
export interface WaitingChange {
  run: string;
  op: PlannedEffect;
}

/** Plans that guards hold back until they are approved or replaced by a later run; at most one for each sync. */
export function createHoldStore({ db }: LedgerDatabase) {
  return { keepHeld, heldPlan, heldSet, heldPlans, waitingChange, handOver, handBack, dropHeld };

  /** Keeps the staged plan of a run that is about to be held for its changes of these kinds. Replaces an older held plan. */
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
    return plansIn(kept().where('sync', '=', sync)).executeTakeFirst();
  }

  /** Hash of the changes for which a run was held, whether or not its plan is still kept. */
  async function heldSet(run: string): Promise<string | undefined> {
    const row = await db.selectFrom('runs').select('held_set').where('id', '=', run).executeTakeFirst();
    return row?.held_set ?? undefined;
  }

  /** All plans that can be approved, by the names of their syncs. */
  async function heldPlans(): Promise<ListedHeldPlan[]> {
    return withDecisions(await plansIn(kept()).orderBy('sync').execute(), db);
  }

  /** The change of a record in a plan that waits for a decision. */
  async function waitingChange(sync: string, key: string): Promise<WaitingChange | undefined> {
    const [plan] = await withDecisions(await plansIn(kept().where('sync', '=', sync)).execute(), db);
    if (!plan || plan.decision) return undefined;
    const { run } = plan;
    const row = await db
      .selectFrom('staged_changes')
      .select(plannedEffect.as('op'))
      .where(({ and }) => and({ run, key }))
      .where('op', 'in', ['create', 'update', 'delete', 'mark'])
      .executeTakeFirst();
    return row && { run, op: row.op };
  }

  /**
   * Moves the plan of a held run, and everything known about it, to another run.
   * @returns the counts of the plan
   */
  async function handOver(held: string, run: string): Promise<RunCounts> {
    return db.transaction().execute(async (transaction) => {
      await transaction.updateTable('staged_changes').set({ run }).where('run', '=', held).execute();
      return copyFindings(held, run, transaction);
    });
  }

  /** Returns a plan that could not be applied to its held run. */
  async function handBack(run: string, held: string): Promise<void> {
    await db.updateTable('staged_changes').set({ run: held }).where('run', '=', run).execute();
  }

  /**
   * Deletes the held plan of a sync, because the state that it would change has changed, or because the plan was rejected.
   * @param run deletes only the plan of this run
   */
  async function dropHeld(sync: string, run?: string): Promise<void> {
    const held = kept().select('id').where('sync', '=', sync);
    await db
      .deleteFrom('staged_changes')
      .where('run', 'in', run === undefined ? held : held.where('id', '=', run))
      .execute();
  }

  function plansIn(runs: ReturnType<typeof kept>) {
    return runs.select(['id as run', 'sync', 'held_set as set']).$narrowType<{ set: NotNull }>();
  }

  function kept() {
    return db
      .selectFrom('runs')
      .where('status', '=', 'held')
      .where('held_set', 'is not', null)
      .where(sql<boolean>`exists (select 1 from staged_changes where staged_changes.run = runs.id)`);
  }
}
