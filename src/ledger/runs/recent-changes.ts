import { sql } from 'kysely';
import type { RunCounts } from '../../core/run.ts';
import { hasChanges } from '../database/conditions.ts';
import type { LedgerDatabase } from '../database/schema.ts';

/** How many items the runs of a sync have changed in the CMS. */
export type RecentChanges = { sync: string } & Pick<RunCounts, 'created' | 'updated' | 'deleted' | 'marked'>;

/** Sums up what runs have changed. */
export function createRecentChanges({ db, now }: LedgerDatabase) {
  return { changedWithin };

  /** What the runs of each sync have changed that began within this time; syncs without changes are absent. */
  async function changedWithin(ms: number): Promise<RecentChanges[]> {
    const rows = await db
      .selectFrom('runs')
      .select(['sync', 'counts'])
      .where('started_at', '>=', sql<number>`${now} - cast(${ms} as bigint)`)
      .where('kind', '<>', 'plan')
      .where('finished_at', 'is not', null)
      .where(hasChanges)
      .orderBy('sync')
      .execute();
    return [...Map.groupBy(rows, ({ sync }) => sync)].map(([sync, runs]) => {
      const counts = runs.map((run) => JSON.parse(run.counts) as RunCounts);
      const sum = (name: 'created' | 'updated' | 'deleted' | 'marked') =>
        counts.reduce((total, count) => total + count[name], 0);
      return { sync, created: sum('created'), updated: sum('updated'), deleted: sum('deleted'), marked: sum('marked') };
    });
  }
}
