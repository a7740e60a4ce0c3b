import { sql } from 'kysely';
import type { Resource } from '../../core/record.ts';
import { hasItem, isInDoubt, isUndelivered } from '../database/conditions.ts';
import { leadingValues } from '../database/queries.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { forget } from './transitions.ts';

/** A sync that is not in the config, but has or may have items in the CMS. */
export interface Orphan {
  sync: string;
  resource: Resource;
  /** Key of the calendar to which the last run of the sync delivered, if the site has several. */
  instance?: string;
  items: number;
}

export function createOrphanStore({ db, forRows }: LedgerDatabase) {
  return { syncsWithRecords, orphans, forgetSync };

  /** Syncs with items, except those named. */
  async function orphans(syncs: readonly string[]): Promise<Orphan[]> {
    const known = new Set(syncs);
    const wanted = (await syncsWithRecords()).filter((sync) => !known.has(sync)).map((sync) => ({ sync }));
    const inCms = sql`records.sync = wanted.sync and ${hasItem}`;
    const inDoubt = sql`records.sync = wanted.sync and ${isUndelivered} and ${isInDoubt}`;
    // Each condition has an index of its own; both together would have to read all records.
    const rows = await forRows(db, wanted, (table) => {
      return sql<{ sync: string; resource: Resource | null; items: number; target: string | null }>`
        select wanted.sync,
          coalesce(
            (select resource from records where ${inCms} limit 1), (select resource from records where ${inDoubt} limit 1)
          ) as resource,
          (select count(*) from records where ${inCms}) + (select count(*) from records where ${inDoubt}) as items,
          (
            select target from runs where runs.sync = wanted.sync and target is not null order by started_at desc limit 1
          ) as target
        from ${table} as wanted
      `;
    });
    return rows.flatMap(({ sync, resource, items, target }) => {
      if (resource === null) return [];
      const [, instance] = target?.split('/') ?? [];
      return { sync, resource, items, ...(instance === undefined ? {} : { instance }) };
    });
  }

  /** The names of all syncs that have records, in order. */
  async function syncsWithRecords(): Promise<string[]> {
    return (await all<{ value: string }>(db)`${leadingValues('records', 'sync')}`).map(({ value }) => value);
  }

  /** Deletes all records of a sync, with their histories. Their items stay. Returns the keys. */
  async function forgetSync(sync: string): Promise<string[]> {
    return db.transaction().execute(async (transaction) => {
      for (const table of ['answers', 'acknowledgements', 'members', 'readings'])
        await change(transaction)`delete from ${sql.table(table)} where sync = ${sync}`;
      const { rows } = await forget<{ key: string }>(sql`sync = ${sync}`, sql`key`).execute(transaction);
      return rows.map(({ key }) => key).sort();
    });
  }
}
