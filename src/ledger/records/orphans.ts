import { sql } from 'kysely';
import type { Resource } from '../../core/record.ts';
import { isInDoubt } from '../database/conditions.ts';
import { leadingValues } from '../database/queries.ts';
import type { LedgerDatabase } from '../database/schema.ts';

/** A sync that the config does not have, but that has items in the CMS, or may have. */
export interface Orphan {
  sync: string;
  resource: Resource;
  /** Key of the calendar that its last run delivered to, if the site has several. */
  instance?: string;
  items: number;
}

export function createOrphanStore({ db }: LedgerDatabase) {
  return { orphans, forgetSync };

  /** Syncs with items, except those named. */
  async function orphans(syncs: readonly string[]): Promise<Orphan[]> {
    const others = (await namesOfSyncs()).filter((sync) => !syncs.includes(sync));
    if (others.length === 0) return [];
    const rows = await db
      .selectFrom('records')
      .select(({ fn, selectFrom }) => [
        'sync',
        'resource',
        fn.countAll<number>().as('items'),
        selectFrom('runs')
          .select('target')
          .whereRef('runs.sync', '=', 'records.sync')
          .where('target', 'is not', null)
          .orderBy('started_at', 'desc')
          .limit(1)
          .as('target'),
      ])
      .where('sync', 'in', others)
      .where(sql<boolean>`(cms_id is not null or ${isInDoubt})`)
      .groupBy(['sync', 'resource'])
      .orderBy('sync')
      .execute();
    return rows.map(({ sync, resource, items, target }) => {
      const [, instance] = target?.split('/') ?? [];
      return { sync, resource, items: Number(items), ...(instance === undefined ? {} : { instance }) };
    });
  }

  async function namesOfSyncs(): Promise<string[]> {
    const { rows } = await sql<{ value: string }>`${leadingValues('records', 'sync')}`.execute(db);
    return rows.map(({ value }) => value);
  }

  /** Deletes all records of a sync, with their histories. Their items stay. Returns the keys. */
  async function forgetSync(sync: string): Promise<string[]> {
    return db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('history').where('sync', '=', sync).execute();
      const rows = await transaction.deleteFrom('records').where('sync', '=', sync).returning('key').execute();
      return rows.map(({ key }) => key).sort();
    });
  }
}
