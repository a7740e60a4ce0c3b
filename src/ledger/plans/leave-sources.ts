import { type Kysely, type RawBuilder, sql } from 'kysely';
import { mayHaveItem } from '../database/conditions.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { moveToNewKeys } from '../records/followers.ts';
import { forget } from '../records/transitions.ts';
import { dropHeldIn } from './held-plans.ts';

/** Syncs that had several sources before, and have one now. */
export function createLeavingStore({ db }: LedgerDatabase) {
  return { leaveSources, formerSources };

  /**
   * Gives the records of the source that remains its own keys (`7`), and those of the other sources the keys of these (`music/7`).
   * The members of the other sources remain, so that their records are known.
   * @param run a run of the sync that has staged nothing yet
   * @param source the source that remains; absent: none of those before
   */
  async function leaveSources(run: string, sync: string, source = ''): Promise<void> {
    const isOwn = sql`members.source = ${source}`;
    const ofSync = sql`members.sync = ${sync}`;
    const isFounder = sql`members.key = members.source || '/' || records.key`;
    const memberKey = sql`coalesce(min(case when ${isOwn} then members.key end), min(members.key))`;
    const ownKey = sql`min(substr(members.key, ${sql.lit(source.length + 2)}))`;
    await db.transaction().execute(async (transaction) => {
      await dropHeldIn(transaction, sync);
      await moveTo(memberKey, sql`(${isOwn} or ${isFounder})`, transaction);
      await moveTo(ownKey, sql`${isOwn} and members.key = records.key`, transaction);
      await change(transaction)`
        delete from members where ${ofSync} and (
          cluster is null or cluster in (
            select cluster from members where ${ofSync} and ${isOwn} and members.key = members.source || '/' || members.cluster))
      `;
      await change(transaction)`update members set read_in = '', read_no = 0, astray_no = null where ${ofSync}`;
      await change(transaction)`delete from readings where sync = ${sync}`;
    });

    /** Gives records the key that follows from their members, unless another record with an item has it. */
    async function moveTo(key: RawBuilder<unknown>, isOf: RawBuilder<unknown>, transaction: Kysely<LedgerTables>) {
      const moves = sql`
        select ${key} as key, records.key as previous_key, records.place as place
        from members join records on records.sync = members.sync and records.key = members.cluster
        where ${ofSync} and ${isOf} group by records.key, records.place`;
      const unused = sql`
        select key from records where sync = ${sync} and not ${mayHaveItem}
          and key in (select key from (${moves}) as moves where key <> previous_key)
          and not exists (select 1 from members where ${ofSync} and members.cluster = records.key)`;
      await forget(sql`sync = ${sync} and key in (${unused})`).execute(transaction);
      await change(transaction)`
        insert into staged_changes (run, op, key, previous_key, place)
        select cast(${run} as text), 'unchanged', key, previous_key, place from (${moves}) as moves
        where key <> previous_key and not exists (select 1 from records where records.sync = ${sync} and records.key = moves.key)
      `;
      await change(transaction)`
        update members set cluster = staged_changes.key from staged_changes
        where ${ofSync} and staged_changes.run = ${run} and members.cluster = staged_changes.previous_key
      `;
      await moveToNewKeys(transaction, { run, sync });
      await change(transaction)`delete from staged_changes where run = ${run}`;
    }
  }

  /** Returns the sources that have had records of the sync: how many items they have, and whether the keys are still theirs. */
  async function formerSources(sync: string): Promise<Array<{ source: string; items: number; isOpen: boolean }>> {
    const rows = await all<{ source: string; items: number; is_open: number }>(db)`
      select members.source as source, count(records.key) as items,
        case when exists (select 1 from readings where readings.sync = ${sync}) then 1 else 0 end as is_open
      from members left join records on records.sync = members.sync and records.key = members.cluster and ${mayHaveItem}
      where members.sync = ${sync} group by members.source order by members.source
    `;
    return rows.map(({ is_open, ...row }) => ({ ...row, isOpen: is_open === 1 }));
  }
}
