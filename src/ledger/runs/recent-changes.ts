import { sql } from 'kysely';
import type { RunCounts } from '../../core/run.ts';
import { hasChanges, hasReadRecords } from '../database/conditions.ts';
import type { LedgerDatabase } from '../database/schema.ts';

/** How many items the runs of a sync have changed in the CMS. */
export type RecentChanges = { sync: string } & Pick<RunCounts, 'created' | 'updated' | 'deleted' | 'marked'>;

/** Sums up what runs have changed, and counts what they reject that they did not reject before. */
export function createRecentChanges({ db }: LedgerDatabase) {
  return { changedSince, countNewRejections };

  /** What the runs of each sync have changed that began since a time, in ms since 1970; syncs without changes are absent. */
  async function changedSince(since: number): Promise<RecentChanges[]> {
    const rows = await db
      .selectFrom('runs')
      .select(['sync', 'counts'])
      .where('started_at', '>=', since)
      .where('kind', '<>', 'plan')
      .where('finished_at', 'is not', null)
      .where(hasChanges)
      // Finds them by their time: all runs would be read in the order of syncs.
      .orderBy('started_at')
      .execute();
    const bySync = [...Map.groupBy(rows, ({ sync }) => sync)].toSorted(([one], [other]) => one.localeCompare(other));
    return bySync.map(([sync, runs]) => {
      const counts = runs.map((run) => JSON.parse(run.counts) as RunCounts);
      const sum = (name: 'created' | 'updated' | 'deleted' | 'marked') =>
        counts.reduce((total, count) => total + count[name], 0);
      return { sync, created: sum('created'), updated: sum('updated'), deleted: sum('deleted'), marked: sum('marked') };
    });
  }
  /**
   * How many rejections of a run the last reading of the sync before a time had not. Earlier readings whose rejections have expired
   * do not count.
   */
  async function countNewRejections({ run, sync }: { run: string; sync: string }, since: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (
        select key, code, reason from rejections where run = ${run}
        except
        select key, code, reason from rejections where run = (
          select id from runs
          where sync = ${sync} and started_at < ${since} and finished_at is not null and ${hasReadRecords}
            and (counts like '%"rejected":0,%' or exists (select 1 from rejections as kept where kept.run = runs.id))
          order by started_at desc, id desc limit 1
        )
      ) as fresh
    `.execute(db);
    return rows[0]?.count ?? 0;
  }
}
