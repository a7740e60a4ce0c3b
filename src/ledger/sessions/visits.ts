import { sql } from 'kysely';
import type { LedgerDatabase } from '../database/schema.ts';

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
