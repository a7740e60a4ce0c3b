import { type Kysely, type RawBuilder, sql } from 'kysely';
import { sha256 } from '../../core/hash.ts';
import type { RunCounts } from '../../core/run.ts';
import { type TitleColumns, titleIn } from '../database/queries.ts';
import type {
  LedgerDatabase,
  LedgerTables,
  StagedChangesTable,
  StagedContents,
  StagedRow,
} from '../database/schema.ts';
import { all, cell, change, one } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { type HoldDecision, withDecisions } from '../runs/decided-runs.ts';
import { copyFindings } from '../runs/last-reading.ts';
import { isPlanned, type PlannedEffect, plannedEffect } from './planned-effect.ts';

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
    const rows = await all<Pick<StagedContents, 'key' | 'op' | 'desired' | 'expects'>>(db)`
      select key, op, desired, expects from staged_contents where run = ${run} and ${isOneOf('op', heldFor)} order by key
    `;
    const set = sha256(
      JSON.stringify(
        rows.map(({ key, op, desired, expects }) => [key, op, desired, ...(expects === null ? [] : [expects])]),
      ),
    );
    await change(db)`update runs set held_set = ${set} where id = ${run}`;
  }

  /** The plan of a sync that can be approved. */
  async function heldPlan(sync: string): Promise<HeldPlan | undefined> {
    return (await kept(sql`sync = ${sync} order by started_at desc limit 1`))[0];
  }

  /** Hash of the changes for which a run was held, whether or not its plan is still kept. */
  async function heldSet(run: string): Promise<string | undefined> {
    return (await cell<string | null>(db)`select held_set from runs where id = ${run}`) ?? undefined;
  }

  /** All plans that can be approved, by the names of their syncs. */
  async function heldPlans(): Promise<ListedHeldPlan[]> {
    return withDecisions(await kept(sql`1 = 1 order by sync`), db);
  }

  /** The change of a record in a plan that waits for a decision. */
  async function waitingChange(sync: string, key: string): Promise<WaitingChange | undefined> {
    const [plan] = await withDecisions(await kept(sql`sync = ${sync}`), db);
    if (!plan || plan.decision) return undefined;
    const { run } = plan;
    const row = await one<TitleColumns & { effect: PlannedEffect }>(db)`
      select ${plannedEffect} as effect, resource, desired, delivered, item from staged_contents as staged_changes
      where run = ${run} and key = ${key} and ${isPlanned}
    `;
    return row && { run, op: row.effect, ...titleIn(row) };
  }

  /**
   * Copies the plan of a held run, and everything known about it, to another run. The held run keeps its plan until it is applied.
   * @returns the counts of the plan
   */
  async function handOver(held: string, run: string): Promise<RunCounts> {
    return db.transaction().execute(async (transaction) => {
      // All rows have the columns of the first one.
      const first = await one<StagedChangesTable>(
        transaction,
      )`select * from staged_changes where run = ${held} limit 1`;
      if (first) {
        const { run: _, ...columns } = first;
        const names = sql.join(Object.keys(columns).map((column) => sql.ref(column)));
        await change(transaction)`
          insert into staged_changes (run, ${names}) select ${run}, ${names} from staged_changes where run = ${held}
        `;
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
    if ((await kept(sql`id = ${run}`)).length > 0) await dropHeldIn(db, sync, { except: run });
  }

  /** Deletes the held plans of a sync. @param which `only`: that of this run, because it was rejected */
  function dropHeld(sync: string, which: { only?: string } = {}): Promise<void> {
    return dropHeldIn(db, sync, which);
  }

  function kept(condition: RawBuilder<unknown>) {
    return all<HeldPlan>(db)`
      select id as run, sync, held_set as "set" from runs
      where status = 'held' and held_set is not null
        and exists (select 1 from staged_changes where staged_changes.run = runs.id) and ${condition}
    `;
  }
}

/** Deletes the held plans of a sync: the state that they would change has changed, unless only some are named. */
export async function dropHeldIn(
  db: Kysely<LedgerTables>,
  sync: string,
  { only, except }: { only?: string; except?: string } = {},
): Promise<void> {
  await change(db)`
    delete from staged_changes where run in (
      select id from runs where sync = ${sync} and status = 'held'
        ${only === undefined ? sql`` : sql`and id = ${only}`} ${except === undefined ? sql`` : sql`and id <> ${except}`}
    )
  `;
}
