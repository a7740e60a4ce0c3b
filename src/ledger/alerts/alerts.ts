import { type RawBuilder, sql } from 'kysely';
import type { AlertKind } from '../../config/types.ts';
import type { Payload } from '../../core/record.ts';
import { countsOf, createAcknowledgementStore } from '../acknowledgements/acknowledgements.ts';
import { distinct } from '../database/queries.ts';
import type { AlertsTable, LedgerDatabase, SendingsTable } from '../database/schema.ts';
import { all, cell, change, one } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { healthOf } from '../runs/sync-health.ts';

export type ClaimedAlert = ReturnType<typeof toClaimed>;

/** Stores the problems to report. The ledger decides which are due, so that two processes do not send the same message. */
export function createAlertStore(database: LedgerDatabase) {
  const { db, now, forRows } = database;
  const { acknowledged } = createAcknowledgementStore(database);
  return {
    health,
    about,
    lastNoted,
    keepReported,
    note,
    claim,
    markSent,
    postpone,
    noteSending,
    sendings,
    lastDay,
    entries,
  };

  /** The state of a sync by which alerts are decided, without the problems that a person has acknowledged. */
  function health(sync: string) {
    return healthOf(sync, database, async (reading) => countsOf(await acknowledged(sync, { reading })));
  }

  /** The alerts that a run has caused last, and when a message about each was sent. */
  async function about(run: string) {
    const rows = await all<Pick<AlertsTable, 'kind' | 'channel' | 'last_sent_at'>>(db)`
      select kind, channel, last_sent_at from alerts where run = ${run} order by kind, channel
    `;
    return rows.map(({ kind, channel, last_sent_at }) => ({
      kind,
      channel,
      ...(last_sent_at === null ? {} : { sentAt: new Date(last_sent_at).toISOString() }),
    }));
  }

  /**
   * The run that last had a problem, whether a message about it is due, and what was reported of it, unless its end was reported;
   * undefined: there was no such problem.
   */
  async function lastNoted(sync: string, channel: string, kind: AlertKind) {
    const row = await one<Pick<AlertsTable, 'run' | 'reported' | 'pending_count'>>(db)`
      select run, reported, pending_count from alerts where sync = ${sync} and channel = ${channel} and kind = ${kind}
    `;
    return row && { run: row.run, isPending: row.pending_count > 0, reported: reportedIn(row) };
  }

  /** Forgets what was reported and is over: if it returns, it is new. */
  async function keepReported(sync: string, channel: string, kind: AlertKind, ids: readonly string[]): Promise<void> {
    await change(db)`
      update alerts set reported = ${JSON.stringify(ids)}
      where sync = ${sync} and channel = ${channel} and kind = ${kind}
    `;
  }

  /**
   * Records the present problems of a sync; all its other problems are over. The same problem of the same run counts once.
   * @param causes kind → the run that has the problem; empty: the problem belongs to no run
   * @param known kinds of which the run has nothing that was not reported before
   */
  async function note(
    sync: string,
    channel: string,
    causes: ReadonlyMap<AlertKind, string>,
    known: ReadonlySet<AlertKind> = new Set(),
  ): Promise<void> {
    for (const [kind, run] of causes) {
      // A problem that returns before its end was reported was never over. Without a run, a problem that returns is a new one.
      await change(db)`
        insert into alerts (sync, channel, kind, run, since, pending_count, sent_count, attempts)
        values (${sync}, ${channel}, ${kind}, ${run}, ${now}, ${known.has(kind) ? 0 : 1}, 0, 0)
        on conflict (sync, kind, channel) do update set
          run = excluded.run,
          since = case when alerts.resolved_at is null or alerts.sent_count > 0 then alerts.since else ${now} end,
          pending_count = alerts.pending_count + excluded.pending_count,
          resolved_at = null
        where alerts.run <> excluded.run or (excluded.run = '' and alerts.resolved_at is not null)
      `;
    }
    // What waited to be sent may have been told meanwhile, or be over.
    if (known.size > 0)
      await change(db)`
        update alerts set pending_count = 0
        where sync = ${sync} and channel = ${channel} and ${isOneOf('kind', [...known])} and coalesce(claim_until, 0) < ${now}
      `;
    await change(db)`
      update alerts set resolved_at = ${now}
      where sync = ${sync} and channel = ${channel} and resolved_at is null and not ${isOneOf('kind', [...causes.keys()])}
    `;
  }

  /**
   * Claims the alerts that are due: problems with unreported occurrences, unless a message was sent less than `everyMs` ago;
   * and reported problems that are over, once the sync has no other problem.
   */
  async function claim(
    sync: string,
    channel: string,
    { everyMs, leaseMs }: { everyMs: number; leaseMs: number },
  ): Promise<ClaimedAlert[]> {
    const rows = await all<AlertsTable>(db)`
      update alerts set claim_token = ${database.runtime.uuid()}, claim_until = ${now} + ${leaseMs}
      where sync = ${sync} and channel = ${channel}
        and coalesce(claim_until, 0) < ${now} and coalesce(retry_at, 0) <= ${now}
        and (
          (resolved_at is null and pending_count > 0 and coalesce(last_sent_at, 0) + ${everyMs} <= ${now})
          or (resolved_at is not null and sent_count > 0 and not exists (
            select 1 from alerts as other
            where other.sync = ${sync} and other.channel = ${channel} and other.resolved_at is null
          ))
        )
      returning *
    `;
    return rows.map(toClaimed);
  }

  /**
   * Records that alerts were sent.
   * @param reported ids of the problems of the run that the message was about
   */
  async function markSent(alerts: readonly ClaimedAlert[], reported: readonly string[] = []): Promise<void> {
    for (const alert of alerts) {
      const news = alert.isOver
        ? sql`sent_count = 0, reported = null`
        : sql`sent_count = ${alert.sentCount + 1}, last_sent_at = ${now},
            pending_count = case when pending_count > ${alert.pendingCount} then pending_count - ${alert.pendingCount} else 0 end,
            reported = ${JSON.stringify(reported)}`;
      await release(alert, sql`${news}, attempts = 0, retry_at = null`);
    }
  }

  /** Releases alerts that could not be sent, to be retried after some time. */
  async function postpone(alerts: readonly ClaimedAlert[], afterMs: number): Promise<void> {
    for (const alert of alerts) {
      await release(alert, sql`attempts = ${alert.attempts + 1}, retry_at = ${now} + ${Math.round(afterMs)}`);
    }
  }

  /**
   * Notes what became of a message or a test.
   * @param channels one for each recipient
   * @param failure why it could not be sent
   */
  async function noteSending(
    sync: string,
    channels: readonly string[],
    as: 'sent_at' | 'tested_at' | 'failed_at',
    failure: string | null = null,
  ): Promise<void> {
    const others = as === 'failed_at' ? sql`` : sql`, failed_at = null`;
    for (const channel of channels) {
      await change(db)`
        insert into sendings (sync, channel, ${sql.ref(as)}, failure) values (${sync}, ${channel}, ${now}, ${failure})
        on conflict (sync, channel) do update set ${sql.ref(as)} = ${now}, failure = excluded.failure ${others}
      `;
    }
  }

  /** When messages were last sent, and what has failed since. */
  async function sendings(): Promise<SendingsTable[]> {
    return all<SendingsTable>(db)`select * from sendings order by sync, channel`;
  }

  /** Returns the last day on which the feed of a sync has an event, as an ISO date. */
  async function lastDay(sync: string): Promise<string | undefined> {
    const day = await cell<string | null>(db)`
      select max(coalesce(ends_on, starts_on)) from records where sync = ${sync} and goal = 'have' and missing_since is null
    `;
    return day ?? undefined;
  }

  /** The places in the feed and the contents of records, by their keys. */
  async function entries(
    sync: string,
    keys: readonly string[],
  ): Promise<Map<string, { at: string; payload: Payload }>> {
    const wanted = distinct(keys).map((key) => ({ sync, key }));
    const rows = await forRows(db, wanted, (table) => {
      return sql<{ key: string; place: string; desired: string }>`
        select records.key, place, desired from ${table} as wanted cross join record_contents as records
        where records.sync = wanted.sync and records.key = wanted.key
      `;
    });
    return new Map(
      rows.map(({ key, place, desired }) => [key, { at: place, payload: JSON.parse(desired) as Payload }]),
    );
  }

  async function release({ sync, kind, channel, claim: token }: ClaimedAlert, columns: RawBuilder<unknown>) {
    await change(db)`
      update alerts set claim_token = null, claim_until = null, ${columns}
      where sync = ${sync} and kind = ${kind} and channel = ${channel} and claim_token = ${token}
    `;
  }
}

/** An alert for one channel, which this process may send until its lease lapses. */
function toClaimed(row: AlertsTable) {
  const { sync, kind, channel, run, since, attempts } = row;
  return {
    sync,
    kind,
    channel,
    claim: row.claim_token ?? '',
    /** The last run that had the problem; for a stale sync, the last good run. Empty: none. */
    run,
    /** ms since 1970. */
    since,
    /** Whether the problem is over; otherwise it continues. */
    isOver: row.resolved_at !== null,
    /** Occurrences since the last message, this one included. */
    pendingCount: row.pending_count,
    /** Messages before this one. */
    sentCount: row.sent_count,
    /** Failed sendings in a row. */
    attempts,
    /** Ids of the problems that the last message was about and that the sync still had since. */
    reported: reportedIn(row),
  };
}

function reportedIn({ reported }: Pick<AlertsTable, 'reported'>): Set<string> {
  return new Set(JSON.parse(reported ?? '[]') as string[]);
}
