import { sql } from 'kysely';
import { hasRows } from '../database/queries.ts';
import type { LedgerDatabase } from '../database/schema.ts';

/** A record of a source that is published as the record of another one. */
export interface CoveredMember {
  key: string;
  /** Key of the record that it is published as. */
  cluster: string;
}

/** Which runs have first published records of sources as those of others. */
export function createCoverageStore({ db }: LedgerDatabase) {
  return { noteCovered, coveredIn };

  /** Notes that a run is the first one to publish these records as others: those that earlier readings, also of held runs, have joined. */
  async function noteCovered(run: string, sync: string): Promise<void> {
    // Written like the condition of the index.
    const isNew = sql<boolean>`covered_in is null and cluster <> key`;
    const fresh = db.selectFrom('members').where('sync', '=', sync).where(isNew);
    if (!(await hasRows(fresh))) return;
    await db.updateTable('members').set({ covered_in: run }).where('sync', '=', sync).where(isNew).execute();
  }

  /** Returns the records that a run was the first to publish as others. */
  async function coveredIn(run: string, sync: string): Promise<CoveredMember[]> {
    const rows = await db
      .selectFrom('members')
      .select(['key', 'cluster'])
      .where('sync', '=', sync)
      .where(
        sql<boolean>`cluster <> key and exists (
          select 1 from members as others
          where others.sync = members.sync and others.cluster = members.cluster and others.key <> members.key)`,
      )
      .where('covered_in', '=', run)
      .orderBy('key')
      .execute();
    return rows.map(({ key, cluster }) => ({ key, cluster: cluster ?? key }));
  }
}
