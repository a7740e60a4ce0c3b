import { type RawBuilder, sql } from 'kysely';
import { ENDED_EARLY, isAcknowledged, type RunCounts } from '../../core/run.ts';
import { appliesFeed, hasBegun, hasNotEnded } from '../database/conditions.ts';
import type { LedgerDatabase, RunRow } from '../database/schema.ts';
import { one, only } from '../database/statements.ts';
import { type OpenDifferences, openDifferences } from '../verifications/open-differences.ts';
import { withDecisions } from './decided-runs.ts';

export type SyncHealth = Awaited<ReturnType<typeof healthOf>>;

/**
 * Returns the last runs of a sync by which alerts are decided. Plans and retries do not count: they show nothing about the
 * feed, or not about all of it. Times are ms since 1970, by the ledger's clock.
 * @param countAcknowledged counts the rejections of a run, and the differences, that a person has acknowledged
 */
export async function healthOf(
  sync: string,
  { db, now }: LedgerDatabase,
  countAcknowledged: (reading: string | undefined) => Promise<{ rejected: number; differs: number }>,
) {
  const latest = await lastEnded(sql`coalesce(error_code, '') not in (${sql.join(ENDED_EARLY)})`);
  const [decided] = latest?.status === 'held' ? await withDecisions([{ run: latest.id }], db) : [];
  const counts = latest && (JSON.parse(latest.counts) as RunCounts);
  const acknowledged = await countAcknowledged(latest?.id);
  const good = await lastEnded(sql`succeeded = 1`);
  const [verified] = await openDifferences({ db }, sync);
  const clock = await only<{ now: number; first: number | null; paused: number }>(db)`
    select ${now} as now,
      (select started_at from runs where sync = ${sync} and ${appliesFeed} order by started_at limit 1) as first,
      (select count(*) from pauses where sync = ${sync}) as paused
  `;
  return {
    now: clock.now,
    /** A paused sync is not late. */
    ...(clock.paused > 0 && { isPaused: true }),
    /** The last run that ended, except runs that a signal or a person has ended. */
    ...(latest && {
      latest: {
        run: latest.id,
        status: latest.status,
        read: counts?.read ?? 0,
        /** Whether a person knows of all its problems. */
        ...(counts &&
          isAcknowledged({ ...latest, complete: latest.complete === 1, counts }, acknowledged.rejected) && {
            isAcknowledged: true as const,
          }),
        finishedAt: latest.finished_at ?? latest.started_at,
        /** What a person has decided about its plan, if it is held. */
        ...(decided?.decision && { decision: decided.decision }),
      },
    }),
    /** The last run that counts as a success. */
    ...(good && { good: { run: good.id, finishedAt: good.finished_at ?? good.started_at } }),
    /** The last verification with a certain result, if it has found differences that are not acknowledged. */
    ...(verified && verified.differences > acknowledged.differs && { drift: toDrift(verified) }),
    /** Begin of the first run. */
    ...(clock.first !== null && { firstAt: clock.first }),
  };

  function lastEnded(condition: RawBuilder<unknown>) {
    return one<RunRow>(db)`
      select * from runs
      where sync = ${sync} and ${appliesFeed} and not ${hasNotEnded} and ${hasBegun(now)} and ${condition}
      order by started_at desc, id desc limit 1
    `;
  }
}

function toDrift({ sync: _, ...drift }: OpenDifferences): Omit<OpenDifferences, 'sync'> {
  return drift;
}
