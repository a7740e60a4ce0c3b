import { sql } from 'kysely';
import { isUndelivered, mayHaveItem } from '../database/conditions.ts';
import type { KeptAs } from '../database/kept-as.ts';
import { hasRows } from '../database/queries.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { wholeReadings } from './readings.ts';

/** Which members are published as one record. */
export function createJoinStore({ db, forRows, unsynced }: LedgerDatabase, keptAs: KeptAs) {
  return { setClusters, renameMember, markAstray, mayAsk, hasDoubts, reopenRemoved, publishedAlone, takenHomes };

  /** Puts members into clusters, or into none. */
  async function setClusters(sync: string, clusters: ReadonlyMap<string, string | null>): Promise<void> {
    if (clusters.size === 0) return;
    const rows = [...clusters].map(([key, cluster]) => ({ key, cluster }));
    await unsynced((transaction) =>
      forRows(
        transaction,
        rows,
        (table) => sql`
          update members set cluster = joined.cluster, covered_in = null, astray_no = null from ${table} as joined
          where members.sync = ${sql.lit(keptAs(sync))} and members.key = joined.key`,
      ),
    );
  }

  /** The source has given a member another key: the new member takes the place of the old one. */
  async function renameMember(sync: string, { from, to }: { from: string; to: string }): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const old = transaction.selectFrom('members').where('sync', '=', keptAs(sync)).where('key', '=', from);
      await transaction
        .updateTable('members')
        .set({
          cluster: old.select('cluster'),
          covered_in: old.select('covered_in'),
          astray_no: old.select('astray_no'),
        })
        .where('sync', '=', keptAs(sync))
        .where('key', '=', to)
        .execute();
      await transaction.deleteFrom('members').where('sync', '=', keptAs(sync)).where('key', '=', from).execute();
    });
  }

  /** Notes which members are no longer the events that their clusters are published as, or are so again. */
  async function markAstray(sync: string, members: ReadonlyMap<string, boolean>): Promise<void> {
    for (const isAstray of [true, false]) {
      const keys = [...members].flatMap(([key, is]) => (is === isAstray ? [key] : []));
      if (keys.length === 0) continue;
      await db
        .updateTable('members')
        .set({ astray_no: isAstray ? sql<number>`read_no` : null })
        .where('sync', '=', keptAs(sync))
        .where('key', 'in', keys)
        .execute();
    }
  }

  /** Whether a member may no longer be the same event as the others of its cluster, or is withdrawn: these are asked about. */
  async function hasDoubts(sync: string): Promise<boolean> {
    const isDoubted = sql<boolean>`(astray_no is not null or state = 'withdrawn')`;
    return hasRows(
      db.selectFrom('members').where('sync', '=', keptAs(sync)).where('cluster', 'is not', null).where(isDoubted),
    );
  }

  /** Whether members of a source will have been astray for so many complete readings by further ones only. */
  async function mayAsk(sync: string, source: string, runs: number): Promise<boolean> {
    const wholes = (await wholeReadings(keptAs(sync), db)).get(source) ?? [];
    const first = wholes[runs - 1]?.number ?? 0;
    return hasRows(
      db
        .selectFrom('members')
        .where('sync', '=', keptAs(sync))
        .where('source', '=', source)
        .where('astray_no', '>', first),
    );
  }

  /**
   * Takes members out of clusters whose items were removed: they are decided about again. What a source has withdrawn stays what
   * another source still has.
   */
  async function reopenRemoved(sync: string): Promise<void> {
    await sql`
      update members set cluster = null, covered_in = null where sync = ${keptAs(sync)} and cluster in (
        select key from records where sync = ${sync} and ${isUndelivered} and status = 'removed' and not ${mayHaveItem}
          and not exists (
            select 1 from members as withdrawn join members as present on present.sync = withdrawn.sync and present.cluster = withdrawn.cluster
            join readings on readings.sync = present.sync and readings.source = present.source
            where withdrawn.sync = ${keptAs(sync)} and withdrawn.cluster = records.key and withdrawn.state = 'withdrawn'
              and present.state is null and present.read_no >= readings.whole_no))
    `.execute(db);
  }

  /** Returns those of the keys that are keys of records with items. */
  async function publishedAlone(sync: string, keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    const records = db.selectFrom('records').select('key').where('sync', '=', sync).where(mayHaveItem);
    return new Set((await records.where('key', 'in', keys).execute()).map(({ key }) => key));
  }

  /**
   * Returns those of the keys that are clusters of other members → the keys for clusters of their own. A source may use a key again
   * that it has once changed.
   */
  async function takenHomes(sync: string, keys: readonly string[]): Promise<Map<string, string>> {
    const homes = new Map<string, string>();
    for (const key of await clustersAmong(sync, keys)) homes.set(key, await freeCluster(sync, key));
    return homes;
  }

  async function clustersAmong(sync: string, keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const members = db.selectFrom('members').select('cluster').distinct().where('sync', '=', keptAs(sync));
    return (await members.where('cluster', 'in', keys).execute()).flatMap(({ cluster }) => cluster ?? []);
  }

  /** A key for another cluster than the one that has the key of a member. */
  async function freeCluster(sync: string, key: string): Promise<string> {
    for (let number = 2; ; number += 1) {
      const next = [`${key} (${number})`];
      if ((await clustersAmong(sync, next)).length + (await publishedAlone(sync, next)).size === 0)
        return next[0] ?? key;
    }
  }
}
