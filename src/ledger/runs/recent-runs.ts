import { sql } from 'kysely';
import type { LedgerDatabase } from '../database/schema.ts';
import { appliesFeed } from './run-kinds.ts';
import { type ListedRow, listedColumns, type PastRun, toPastRun } from './run-list.ts';
import { withSequels } from './undone-runs.ts';

/** A run that applied a feed. */
export interface RecentRun extends PastRun {
  /** The run applied the plan of a held run, which had read the feed. */
  isApproval: boolean;
  /** How long ago the run began, in ms by the ledger's clock. */
  agoMs: number;
}

export function createRecentRunStore({ db, now, forRows, runtime }: LedgerDatabase) {
  return { recent };

  /** The last runs of each of these syncs that applied a feed, newest first; syncs without such runs are absent. */
  async function recent(syncs: readonly string[], limit: number): Promise<Map<string, RecentRun[]>> {
    const wanted = syncs.map((sync) => ({ sync }));
    const columns = sql.join(listedColumns.map((column) => sql.ref(`runs.${column}`)));
    // If a sync seldom runs, PostgreSQL would search all runs by time for the sync's, unless they are ordered by sync, too.
    const rows = await forRows(db, wanted, (table) => {
      return sql<ListedRow & { ago: number }>`
        select ${columns}, ${now} - runs.started_at as ago
        from ${table} as wanted cross join runs
        where runs.sync = wanted.sync and ${appliesFeed} and runs.started_at >= coalesce((
          select earlier.started_at from runs as earlier
          where earlier.sync >= wanted.sync and earlier.sync <= wanted.sync and ${appliesFeed}
          order by earlier.sync desc, earlier.started_at desc, earlier.id desc limit 1 offset ${sql.lit(limit - 1)}
        ), 0)
        order by runs.sync, runs.started_at desc, runs.id desc
      `;
    });
    const toRecent = (row: (typeof rows)[number]) => {
      return { ...toPastRun(row, runtime.now()), isApproval: row.kind === 'approve', agoMs: row.ago };
    };
    const bySync = new Map<string, RecentRun[]>();
    for (const run of await withSequels(rows.map(toRecent), db)) {
      const runs = bySync.get(run.sync) ?? [];
      bySync.set(run.sync, runs);
      // Several runs may have begun in the same millisecond as the last one.
      if (runs.length < limit) runs.push(run);
    }
    return bySync;
  }
}
