import { sql } from 'kysely';
import type { LedgerDatabase } from '../database/schema.ts';

/** Log-ins to the console, for all processes that serve it. */
export function createSessionStore({ db, now }: LedgerDatabase) {
  return { begin, find, end };

  /** Begins a session, unless one with this id has begun. */
  async function begin(
    { idHash, mark, name }: { idHash: string; mark: string; name: string | null },
    lifetimeMs: number,
  ): Promise<void> {
    const until = sql<number>`${now} + ${lifetimeMs}`;
    const row = { id_hash: idHash, mark, name, until };
    await db
      .insertInto('sessions')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Returns undefined if the session has ended. */
  async function find(idHash: string): Promise<{ mark: string; name: string | null } | undefined> {
    const ofId = db.selectFrom('sessions').select(['mark', 'name']).where('id_hash', '=', idHash);
    return ofId.where(sql<boolean>`until > ${now}`).executeTakeFirst();
  }

  async function end(idHash: string): Promise<void> {
    await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
  }
}

/** After this time without a page, the next page begins another visit. */
const QUIET_MS = 30 * 60_000;
/** Pages within this time are not written down. */
const NOTED_MS = 5 * 60_000;

/** Visits of people to the console, for all processes that serve it. */
export function createVisitStore({ db, now }: LedgerDatabase) {
  const ago = (ms: number) => sql<number>`${now} - ${sql.lit(ms)}`;
  return { visit, lastVisit };

  /** Notes that a person opens a page. */
  async function visit(person: string): Promise<void> {
    const noted = db.selectFrom('visits').select('person').where('person', '=', person);
    if (await noted.where('seen_at', '>', ago(NOTED_MS)).executeTakeFirst()) return;
    const since = sql<
      number | null
    >`case when visits.seen_at < ${ago(QUIET_MS)} then visits.seen_at else visits.since end`;
    await db
      .insertInto('visits')
      .values({ person, since: null, seen_at: now })
      .onConflict((conflict) => conflict.column('person').doUpdateSet({ since, seen_at: now }))
      .execute();
  }

  /** Returns when the visit of a person before the present one ended, as an ISO instant; undefined if this is the first one. */
  async function lastVisit(person: string): Promise<string | undefined> {
    const row = await db.selectFrom('visits').select('since').where('person', '=', person).executeTakeFirst();
    return row?.since ? new Date(row.since).toISOString() : undefined;
  }
}
