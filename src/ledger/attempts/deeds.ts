import { type Kysely, type Selectable, sql } from 'kysely';
import type { DeedsTable, LedgerDatabase, LedgerTables } from '../database/schema.ts';

export type Deed = ReturnType<typeof toDeed>;

/** What a person or program did; the ledger adds the time. */
export type NewDeed = Omit<Deed, 'at'>;

/** Who asked for runs, decided about held plans, and paused syncs. */
export function createDeedStore({ db, now }: LedgerDatabase) {
  return { addDeed, deedsAbout, deedsOf, deedsBetween, editAt };

  function addDeed(deed: NewDeed): Promise<void> {
    return addDeedTo(db, now, deed);
  }

  /** The deeds that began a run or concern it, oldest first. */
  async function deedsAbout(run: string): Promise<Deed[]> {
    const rows = await db
      .selectFrom('deeds')
      .selectAll()
      .where(({ or }) => or({ run, about: run }))
      .orderBy('done_at')
      .execute();
    return rows.map(toDeed);
  }

  /** The first deeds in a time, in ms since 1970, oldest first; the end is exclusive. */
  async function deedsBetween({ from, to }: { from: number; to: number }, limit: number): Promise<Deed[]> {
    const rows = await db
      .selectFrom('deeds')
      .selectAll()
      .where('done_at', '>=', from)
      .where('done_at', '<', to)
      .orderBy('done_at')
      .limit(limit)
      .execute();
    return rows.map(toDeed);
  }

  /** The last deeds about a sync, newest first. */
  async function deedsOf(sync: string, limit: number): Promise<Deed[]> {
    const ofSync = db.selectFrom('deeds').selectAll().where('sync', '=', sync);
    return (await ofSync.orderBy('done_at', 'desc').orderBy(sql`run`, 'desc').limit(limit).execute()).map(toDeed);
  }

  /** The edit of the file of a sync at a time, an ISO instant. */
  async function editAt(sync: string, at: string): Promise<Deed | undefined> {
    const edits = db.selectFrom('deeds').selectAll().where('sync', '=', sync).where('deed', '=', 'edit');
    const row = await edits.where('done_at', '=', Date.parse(at)).executeTakeFirst();
    return row && toDeed(row);
  }
}

/** Adds a deed in a transaction. A run has one deed of a kind. */
export async function addDeedTo(db: Kysely<LedgerTables>, now: LedgerDatabase['now'], done: NewDeed): Promise<void> {
  const { deed, by, via, sync, run = null, about = null, reason = null, patch = null } = done;
  const row = { run, deed, sync, doer: by, via, about, reason, patch };
  await db
    .insertInto('deeds')
    .values({ ...row, done_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Who did something, when and why. */
function toDeed({ done_at, deed, doer, via, sync, run, about, reason, patch }: Selectable<DeedsTable>) {
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
    /** Of an edit: what it has changed in files of the config folder, as a patch without context. */
    ...(patch === null ? {} : { patch }),
  };
}
