import { type RawBuilder, sql } from 'kysely';
import { mayHaveItem } from '../database/conditions.ts';
import { isAdopted, itemIn } from '../database/item-state.ts';
import { titleIn } from '../database/queries.ts';
import type { LedgerDatabase, RecordContents } from '../database/schema.ts';
import { all, change, only } from '../database/statements.ts';
import { forget } from '../records/transitions.ts';

export type PurgedRecord = ReturnType<typeof toPurged>;

/** Removes a whole sync from the CMS. */
export function createPurgeStore({ db }: LedgerDatabase) {
  return { purgeable, countPurgeable, purgePage, stagePurge, forgetAdopted };

  /** Records that have or may have an item, in the order of the keys. */
  async function purgeable(sync: string): Promise<PurgedRecord[]> {
    return (await itemsOf(sync, sql`1 = 1 order by key`)).map(toPurged);
  }

  function itemsOf(sync: string, condition: RawBuilder<unknown>) {
    return all<PurgedRow>(db)`
      select key, place, resource, desired, delivered, cms_id, item from record_contents as records
      where sync = ${sync} and ${mayHaveItem} and ${condition}
    `;
  }

  /** How many items a purge deletes, and how many it leaves because the sync has adopted them. */
  async function countPurgeable(sync: string): Promise<{ deletes: number; adopted: number }> {
    const { items, adopted } = await only<{ items: number; adopted: number }>(db)`
      select count(*) as items, count(case when ${isAdopted} then 1 end) as adopted
      from records where sync = ${sync} and ${mayHaveItem}
    `;
    return { deletes: items - adopted, adopted };
  }

  /** The records whose items a purge deletes, with keys that follow `after`. */
  async function purgePage(sync: string, after: string, limit: number) {
    const rows = await itemsOf(sync, sql`not ${isAdopted} and key > ${after} order by key limit ${limit}`);
    return rows.map((row) => ({ ...toPurged(row), resource: row.resource }));
  }

  /** Stages the deletes of all items that the sync has created, or may have created. */
  async function stagePurge(run: string, sync: string): Promise<void> {
    await change(db)`
      insert into staged_changes (run, key, op, place, resource)
      select ${run}, key, 'delete', place, resource from records
      where sync = ${sync} and not ${isAdopted} and ${mayHaveItem}
    `;
  }

  /** Deletes the records of adopted items, with their histories. The items stay and belong to no sync. */
  async function forgetAdopted(sync: string): Promise<void> {
    await forget(sql`sync = ${sync} and ${isAdopted}`).execute(db);
  }
}

type PurgedRow = Pick<RecordContents, 'key' | 'place' | 'resource' | 'desired' | 'delivered' | 'cms_id' | 'item'>;

/** A record that has or may have a CMS item. */
function toPurged({ key, place, cms_id, ...row }: PurgedRow) {
  return {
    key,
    ...titleIn(row),
    at: place,
    /** Null: the create is unconfirmed. */
    cmsId: cms_id,
    /** The item existed before feedferry knew it. */
    isAdopted: itemIn(row.item).isAdopted,
  };
}
