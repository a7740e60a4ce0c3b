import { type Kysely, sql } from 'kysely';
import type { DeedsTable, LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';

/** How many deeds are read at most. */
const MOST = 1000;

export type Deed = ReturnType<typeof toDeed>;

/** What a person or program did; the ledger adds the time. */
export type NewDeed = Omit<Deed, 'at'>;

/** Which deeds are read: those that began a run or concern it, those about a sync, or those in a time (ms since 1970, without its end). */
type DeedFilter = { run: string } | { sync: string } | { from: number; to: number };

/** Who asked for runs, decided about held plans, and paused syncs. */
export function createDeedStore({ db, now }: LedgerDatabase) {
  return { addDeed, deeds, formerOf };

  /** @param former what is kept of the files before an edit */
  function addDeed(deed: NewDeed, former?: string): Promise<void> {
    return addDeedTo(db, now, deed, former);
  }

  /** Returns what is kept of the files before an edit; undefined: there is no such edit. */
  async function formerOf(sync: string, at: string): Promise<string | undefined> {
    const rows = await all<Pick<DeedsTable, 'former'>>(db)`
      select former from deeds where sync = ${sync} and done_at = ${Date.parse(at)} and deed = 'edit'
    `;
    return rows[0]?.former ?? undefined;
  }

  /** The last deeds, newest first. */
  async function deeds(filter: DeedFilter, limit = MOST): Promise<Deed[]> {
    const rows = await all<DeedsTable>(db)`
      select * from deeds where ${conditionOf(filter)} order by done_at desc, run desc limit ${limit}
    `;
    return rows.map(toDeed);
  }
}

function conditionOf(filter: DeedFilter) {
  if ('run' in filter) return sql`(run = ${filter.run} or about = ${filter.run})`;
  return 'sync' in filter ? sql`sync = ${filter.sync}` : sql`done_at >= ${filter.from} and done_at < ${filter.to}`;
}

/** Adds a deed in a transaction. A run has one deed of a kind. */
export async function addDeedTo(
  db: Kysely<LedgerTables>,
  now: LedgerDatabase['now'],
  done: NewDeed,
  former: string | null = null,
): Promise<void> {
  const { deed, by, via, sync, run = null, about = null, reason = null, patch = null } = done;
  await change(db)`
    insert into deeds (run, deed, sync, doer, via, about, reason, patch, former, done_at)
    values (${run}, ${deed}, ${sync}, ${by}, ${via}, ${about}, ${reason}, ${patch}, ${former}, ${now}) on conflict do nothing
  `;
}

/** Who did something, when and why. */
function toDeed({ done_at, deed, doer, via, sync, run, about, reason, patch }: DeedsTable) {
  return {
    /** ISO instant. */
    at: new Date(done_at).toISOString(),
    deed,
    by: doer,
    via,
    sync,
    ...(run === null ? {} : { run }),
    ...(about === null ? {} : { about }),
    ...(reason === null ? {} : { reason }),
    /** Of an edit: what it has changed in files of the config folder, as the lines that it has removed and added. */
    ...(patch === null ? {} : { patch }),
  };
}
