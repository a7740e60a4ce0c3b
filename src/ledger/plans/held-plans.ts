import { type Kysely, type NotNull, sql } from 'kysely';
import { sha256 } from '../../core/hash.ts';
import type { RunCounts } from '../../core/run.ts';
import { titleIn } from '../database/queries.ts';
import type { LedgerDatabase, LedgerTables, StagedRow } from '../database/schema.ts';
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
  title?: string;
}

/** Plans that guards hold back until they are applied, rejected or replaced by a later run; one for each sync counts. */
export function createHoldStore({ db }: LedgerDatabase) {
  return { keepHeld, heldPlan, heldSet, heldPlans, waitingChange, handOver, replaceHeld, dropHeld };

  /** Keeps the staged plan of a run that is about to be held for its changes of these kinds. */
  async function keepHeld(run: string, heldFor: ReadonlyArray<StagedRow['op']>): Promise<void> {
    const rows = await db
      .selectFrom('staged_contents')
      .select(['key', 'op', 'desired'])
      .where('run', '=', run)
      .where('op', 'in', heldFor)
      .orderBy('key')
      .execute();
    await db
      .updateTable('runs')
      .set({ held_set: sha256(JSON.stringify(rows.map(({ key, op, desired }) => [key, op, desired]))) })
      .where('id', '=', run)
      .execute();
  }

  /** The plan of a sync that can be approved. */
  async function heldPlan(sync: string): Promise<HeldPlan | undefined> {
    return plansIn(kept().where('sync', '=', sync))
      .orderBy('started_at', 'desc')
      .executeTakeFirst();
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
      .selectFrom('staged_contents as staged_changes')
      .select([plannedEffect.as('op'), 'resource', 'desired', 'delivered', 'item'])
      .where(({ and }) => and({ run, key }))
      .where('op', 'in', ['create', 'update', 'delete', 'mark'])
      .executeTakeFirst();
    return row && { run, op: row.op, ...titleIn(row) };
  }

  /**
   * Copies the plan of a held run, and everything known about it, to another run. The held run keeps its plan until it is applied.
   * @returns the counts of the plan
   */
  async function handOver(held: string, run: string): Promise<RunCounts> {
    return db.transaction().execute(async (transaction) => {
      const ofPlan = transaction.selectFrom('staged_changes').selectAll().where('run', '=', held);
      // All rows have the columns of the first one.
      for (const { run: _, ...columns } of await ofPlan.limit(1).execute()) {
        const names = sql.join(Object.keys(columns).map((column) => sql.ref(column)));
        await sql`
          insert into staged_changes (run, ${names}) select ${run}, ${names} from staged_changes where run = ${held}
        `.execute(transaction);
      }
      return copyFindings(held, run, transaction);
    });
  }

  /**
   * Lets the plan of a run that has just ended as held replace the earlier ones of its sync. Runs of a sync end one after the other:
   * no clock decides which of them is the last.
   */
  async function replaceHeld(sync: string, run: string): Promise<void> {
    // A run that was cancelled at the last moment is not held.
    if (await plansIn(kept().where('id', '=', run)).executeTakeFirst()) await dropHeldIn(db, sync, { except: run });
  }

  /** Deletes the held plans of a sync. @param which `only`: that of this run, because it was rejected */
  function dropHeld(sync: string, which: { only?: string } = {}): Promise<void> {
    return dropHeldIn(db, sync, which);
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

/** Deletes the held plans of a sync: the state that they would change has changed, unless only some are named. */
export async function dropHeldIn(
  db: Kysely<LedgerTables>,
  sync: string,
  { only, except }: { only?: string; except?: string } = {},
): Promise<void> {
  let held = db
    .selectFrom('runs')
    .select('id')
    .where(({ and }) => and({ sync, status: 'held' }));
  if (only !== undefined) held = held.where('id', '=', only);
  if (except !== undefined) held = held.where('id', '<>', except);
  await db.deleteFrom('staged_changes').where('run', 'in', held).execute();
}
