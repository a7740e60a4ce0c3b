import type { RunStatus } from '../../core/run.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { appliesFeed } from './run-kinds.ts';

/** The last runs of a sync, as alerts judge it. Times are ms since 1970, by the ledger's clock. */
export interface SyncHealth {
  now: number;
  /** The last run that ended, except runs that a signal has interrupted. */
  latest?: { run: string; status: RunStatus; read: number; finishedAt: number };
  /** The last run that was a success, at least in part. */
  good?: { run: string; finishedAt: number };
  /** Begin of the first run. */
  firstAt?: number;
}

/** Plans and retries do not count: they say nothing about the feed, or about all of it. */
export async function healthOf(sync: string, { db, now }: LedgerDatabase): Promise<SyncHealth> {
  const latest = await ended()
    .where('error_code', 'is distinct from', 'FF_RUN_INTERRUPTED')
    .select('counts')
    .executeTakeFirst();
  const good = await ended().where('status', 'in', ['success', 'partial']).executeTakeFirst();
  const clock = await db
    .selectNoFrom((builder) => [
      now.as('now'),
      builder
        .selectFrom('runs')
        .select(({ fn }) => fn.min<number | null>('started_at').as('first'))
        .where('sync', '=', sync)
        .where(appliesFeed)
        .as('first'),
    ])
    .executeTakeFirstOrThrow();
  return {
    now: Number(clock.now),
    ...(latest && {
      latest: {
        run: latest.id,
        status: latest.status,
        read: (JSON.parse(latest.counts) as { read: number }).read,
        finishedAt: latest.finished_at ?? latest.started_at,
      },
    }),
    ...(good && { good: { run: good.id, finishedAt: good.finished_at ?? good.started_at } }),
    ...(clock.first !== null && { firstAt: clock.first }),
  };

  function ended() {
    return db
      .selectFrom('runs')
      .select(['id', 'status', 'started_at', 'finished_at'])
      .where('sync', '=', sync)
      .where(appliesFeed)
      .where('status', 'not in', ['running', 'planned'])
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1);
  }
}
