import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AlertKind } from '../../config/types.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { healthOf } from '../runs/sync-health.ts';

/** An alert for one channel that this process may send until its lease lapses. */
export interface ClaimedAlert {
  sync: string;
  kind: AlertKind;
  channel: string;
  claim: string;
  /** The last run that had the problem; of a stale sync the last good one, or empty. */
  run: string;
  /** ms since 1970. */
  since: number;
  /** The problem is over; else it continues. */
  isOver: boolean;
  /** Occurrences since the last message, this one included. */
  pendingCount: number;
  /** Messages before this one. */
  sentCount: number;
  /** Failed sendings in a row. */
  attempts: number;
}

/** Problems to report. The ledger decides what is due, so several processes do not send the same message twice. */
export function createAlertStore(database: LedgerDatabase) {
  const { db, now } = database;
  return { health: (sync: string) => healthOf(sync, database), note, claim, markSent, postpone };

  /**
   * Notes the present problems of a sync; all others are over. The same problem of the same run counts once.
   * @param causes kind → the run that has the problem
   */
  async function note(sync: string, channel: string, causes: ReadonlyMap<AlertKind, string>): Promise<void> {
    const kinds = [...causes.keys()];
    if (kinds.length > 0) {
      const noted = { sync, channel, since: now, pending_count: 1, sent_count: 0, attempts: 0 };
      await db
        .insertInto('alerts')
        .values([...causes].map(([kind, run]) => ({ ...noted, kind, run })))
        .onConflict((conflict) =>
          conflict
            .columns(['sync', 'kind', 'channel'])
            .doUpdateSet({
              run: sql<string>`excluded.run`,
              // What comes back before its end was reported was never over.
              since: sql<number>`case when alerts.resolved_at is null or alerts.sent_count > 0 then alerts.since else ${now} end`,
              pending_count: sql<number>`alerts.pending_count + 1`,
              resolved_at: null,
            })
            .where('alerts.run', '<>', sql<string>`excluded.run`),
        )
        .execute();
    }
    await db
      .updateTable('alerts')
      .set({ resolved_at: now })
      .where('sync', '=', sync)
      .where('channel', '=', channel)
      .where('resolved_at', 'is', null)
      .$if(kinds.length > 0, (query) => query.where('kind', 'not in', kinds))
      .execute();
  }

  /**
   * Claims what is due: problems with unreported occurrences, unless a message was sent less than `everyMs` ago; and reported
   * problems that are over, once the sync has no other problem.
   */
  async function claim(
    sync: string,
    channel: string,
    { everyMs, leaseMs }: { everyMs: number; leaseMs: number },
  ): Promise<ClaimedAlert[]> {
    const rows = await db
      .updateTable('alerts')
      .set({ claim_token: randomUUID(), claim_until: sql<number>`${now} + ${leaseMs}` })
      .where('sync', '=', sync)
      .where('channel', '=', channel)
      .where(sql<boolean>`coalesce(claim_until, 0) < ${now} and coalesce(retry_at, 0) <= ${now}`)
      .where(({ or, and, eb, not, exists, selectFrom }) =>
        or([
          and([
            eb('resolved_at', 'is', null),
            eb('pending_count', '>', 0),
            sql<boolean>`coalesce(last_sent_at, 0) + ${everyMs} <= ${now}`,
          ]),
          and([
            eb('resolved_at', 'is not', null),
            eb('sent_count', '>', 0),
            not(
              exists(
                selectFrom('alerts as other')
                  .select('other.kind')
                  .where('other.sync', '=', sync)
                  .where('other.channel', '=', channel)
                  .where('other.resolved_at', 'is', null),
              ),
            ),
          ]),
        ]),
      )
      .returningAll()
      .execute();
    return rows.map(({ kind, run, since, resolved_at, pending_count, sent_count, attempts, claim_token }) => ({
      sync,
      kind,
      channel,
      claim: claim_token ?? '',
      run,
      since,
      isOver: resolved_at !== null,
      pendingCount: pending_count,
      sentCount: sent_count,
      attempts,
    }));
  }

  /** Notes that alerts were sent. */
  async function markSent(alerts: readonly ClaimedAlert[]): Promise<void> {
    for (const alert of alerts) {
      const news = alert.isOver
        ? { sent_count: 0 }
        : {
            sent_count: alert.sentCount + 1,
            last_sent_at: now,
            pending_count: sql<number>`pending_count - ${alert.pendingCount}`,
          };
      await ours(alert)
        .set({ ...news, attempts: 0, retry_at: null, claim_token: null, claim_until: null })
        .execute();
    }
  }

  /** Releases alerts that could not be sent, to be retried after some time. */
  async function postpone(alerts: readonly ClaimedAlert[], afterMs: number): Promise<void> {
    for (const alert of alerts) {
      await ours(alert)
        .set({
          attempts: alert.attempts + 1,
          retry_at: sql<number>`${now} + ${Math.round(afterMs)}`,
          claim_token: null,
          claim_until: null,
        })
        .execute();
    }
  }

  function ours({ sync, kind, channel, claim: token }: ClaimedAlert) {
    return db
      .updateTable('alerts')
      .where('sync', '=', sync)
      .where('kind', '=', kind)
      .where('channel', '=', channel)
      .where('claim_token', '=', token);
  }
}
