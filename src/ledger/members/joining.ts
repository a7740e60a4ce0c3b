import { sql } from 'kysely';
import { isUndelivered, mayHaveItem } from '../database/conditions.ts';
import type { KeptAs } from '../database/kept-as.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { all, change, exists } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { isShared } from './members.ts';

/** A record of a source that is published as the record of another one. */
export interface CoveredMember {
  key: string;
  /** Key of the record that it is published as. */
  cluster: string;
}

/** Which members are published as one record. */
export function createJoinStore({ db, forRows, unsynced }: LedgerDatabase, keptAs: KeptAs) {
  return {
    ...{ setClusters, renameMember, markAstray, hasDoubts, reopenRemoved, publishedAlone, takenHomes },
    ...{ noteCovered, coveredIn },
  };

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
      await change(transaction)`
        update members set cluster = old.cluster, covered_in = old.covered_in, astray_no = old.astray_no
        from members as old
        where members.sync = ${keptAs(sync)} and members.key = ${to} and old.sync = members.sync and old.key = ${from}
      `;
      await change(transaction)`delete from members where sync = ${keptAs(sync)} and key = ${from}`;
    });
  }

  /** Notes which members are no longer the events that their clusters are published as, or are so again. */
  async function markAstray(sync: string, members: ReadonlyMap<string, boolean>): Promise<void> {
    for (const isAstray of [true, false]) {
      const keys = [...members].flatMap(([key, is]) => (is === isAstray ? [key] : []));
      if (keys.length === 0) continue;
      await change(db)`
        update members set astray_no = ${isAstray ? sql`read_no` : null}
        where sync = ${keptAs(sync)} and ${isOneOf('key', keys)}
      `;
    }
  }

  /** Whether a member may no longer be the same event as the others of its cluster, or is withdrawn: these are asked about. */
  function hasDoubts(sync: string): Promise<boolean> {
    return exists(db)`
      select 1 from members
      where sync = ${keptAs(sync)} and cluster is not null and (astray_no is not null or state = 'withdrawn')
    `;
  }

  /**
   * Takes members out of clusters whose items were removed: they are decided about again. What a source has withdrawn stays what
   * another source still has.
   */
  async function reopenRemoved(sync: string): Promise<void> {
    await change(db)`
      update members set cluster = null, covered_in = null where sync = ${keptAs(sync)} and cluster in (
        select key from records where sync = ${sync} and ${isUndelivered} and status = 'removed' and not ${mayHaveItem}
          and not exists (
            select 1 from members as withdrawn join members as present on present.sync = withdrawn.sync and present.cluster = withdrawn.cluster
            join readings on readings.sync = present.sync and readings.source = present.source
            where withdrawn.sync = ${keptAs(sync)} and withdrawn.cluster = records.key and withdrawn.state = 'withdrawn'
              and present.state is null and present.read_no >= readings.whole_no))
    `;
  }

  /** Returns those of the keys that are keys of records with items. */
  async function publishedAlone(sync: string, keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    const rows = await all<{ key: string }>(db)`
      select key from records where sync = ${sync} and ${mayHaveItem} and ${isOneOf('key', keys)}
    `;
    return new Set(rows.map(({ key }) => key));
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
    const rows = await all<{ cluster: string }>(db)`
      select distinct cluster from members where sync = ${keptAs(sync)} and ${isOneOf('cluster', keys)}
    `;
    return rows.map(({ cluster }) => cluster);
  }

  /** A key for another cluster than the one that has the key of a member. */
  async function freeCluster(sync: string, key: string): Promise<string> {
    for (let number = 2; ; number += 1) {
      const next = [`${key} (${number})`];
      if ((await clustersAmong(sync, next)).length + (await publishedAlone(sync, next)).size === 0)
        return next[0] ?? key;
    }
  }
  /** Notes that a run is the first one to publish these records as others: those that earlier readings, also of held runs, have joined. */
  async function noteCovered(run: string, sync: string): Promise<void> {
    // Written like the condition of the index.
    await change(db)`
      update members set covered_in = ${run} where sync = ${sync} and covered_in is null and cluster <> key
    `;
  }

  /** Returns the records that a run was the first to publish as others. */
  function coveredIn(run: string, sync: string): Promise<CoveredMember[]> {
    return all<CoveredMember>(db)`
      select key, cluster from members
      where sync = ${sync} and cluster <> key and ${isShared} and covered_in = ${run} order by key
    `;
  }
}
