import { sql } from 'kysely';
import type { LedgerDatabase } from '../database/schema.ts';
import { cell, change, exists, one } from '../database/statements.ts';

/** Log-ins to the console, for all processes that serve it. */
export function createSessionStore({ db, now }: LedgerDatabase) {
  return { begin, find, end };

  /** Begins a session, unless one with this id has begun. */
  async function begin(
    { idHash, mark, name }: { idHash: string; mark: string; name: string | null },
    lifetimeMs: number,
  ): Promise<void> {
    await change(db)`
      insert into sessions (id_hash, mark, name, until) values (${idHash}, ${mark}, ${name}, ${now} + ${lifetimeMs})
      on conflict do nothing
    `;
  }

  /** Returns undefined if the session has ended. */
  function find(idHash: string): Promise<{ mark: string; name: string | null } | undefined> {
    return one<{ mark: string; name: string | null }>(
      db,
    )`select mark, name from sessions where id_hash = ${idHash} and until > ${now}`;
  }

  async function end(idHash: string): Promise<void> {
    await change(db)`delete from sessions where id_hash = ${idHash}`;
  }
}

/** After this time without a page, the next page begins another visit. */
const QUIET_MS = 30 * 60_000;
/** Pages within this time are not written down. */
const NOTED_MS = 5 * 60_000;

/** Visits of people to the console, for all processes that serve it. */
export function createVisitStore({ db, now }: LedgerDatabase) {
  return { visit, lastVisit };

  /** Notes that a person opens a page. */
  async function visit(person: string): Promise<void> {
    const isNoted = sql`seen_at > ${now} - ${sql.lit(NOTED_MS)}`;
    if (await exists(db)`select 1 from visits where person = ${person} and ${isNoted}`) return;
    await change(db)`
      insert into visits (person, seen_at) values (${person}, ${now})
      on conflict (person) do update set
        since = case when visits.seen_at < ${now} - ${sql.lit(QUIET_MS)} then visits.seen_at else visits.since end,
        seen_at = excluded.seen_at
    `;
  }

  /** Returns when the visit of a person before the present one ended, as an ISO instant; undefined if this is the first one. */
  async function lastVisit(person: string): Promise<string | undefined> {
    const since = await cell<number | null>(db)`select since from visits where person = ${person}`;
    return since ? new Date(since).toISOString() : undefined;
  }
}
