import { type Kysely, sql, type Transaction } from 'kysely';
import { type CountName, type RunCounts, zeroCounts } from '../../core/run.ts';
import { countRows } from '../database/queries.ts';
import type { BackfillWorkRow, LedgerDatabase, LedgerTables } from '../database/schema.ts';
import type { OpenBackfill } from './backfills.ts';

/** The records that a backfill still has to deliver. Each is removed in the transaction that counts it as done. */
export function createBackfillWork({ db }: LedgerDatabase) {
  return {
    keepWork,
    nextWork,
    dropWork,
    beginSlice,
    settleSlice,
    countLeft,
    counts: (backfill: OpenBackfill) => countsOf(db, backfill),
  };

  /**
   * Turns the staged reading of the feed into the work, in one transaction.
   * @param counts of the reading
   * @returns how many records are to be delivered
   */
  function keepWork(backfill: OpenBackfill, counts: RunCounts): Promise<number> {
    const { run } = backfill;
    return db.transaction().execute(async (transaction) => {
      const { numAffectedRows = 0n } = await sql`
        insert into backfill_work (
          backfill, key, op, place, resource, desired, attachments, hash, starts_on, ends_on, series, slot, previous_key, given_by, password
        )
        select run, key, op, place, resource, desired, attachments, hash, starts_on, ends_on, series, slot, previous_key, given_by, password
        from staged_changes
        where run = ${run} and (op in ('create', 'update', 'failed') or previous_key is not null)
      `.execute(transaction);
      const total = Number(numAffectedRows);
      const unchanged = counts.unchanged - (await moving(transaction, run, 'unchanged'));
      const skipped = counts.skipped - (await moving(transaction, run, 'skipped'));
      const { rejected } = counts;
      const read = unchanged + rejected + skipped + total;
      await write(transaction, backfill, { ...zeroCounts(), read, unchanged, rejected, skipped });
      await transaction.deleteFrom('staged_changes').where('run', '=', run).execute();
      await transaction.updateTable('backfills').set({ total }).where('run', '=', run).execute();
      return total;
    });
  }

  /** The next records, in the order of their days. */
  function nextWork({ run }: OpenBackfill, limit: number): Promise<BackfillWorkRow[]> {
    return db
      .selectFrom('backfill_work')
      .selectAll()
      .where('backfill', '=', run)
      .orderBy('starts_on')
      .orderBy('key')
      .limit(limit)
      .execute();
  }

  /** Removes records that need no change from the work. */
  function dropWork(backfill: OpenBackfill, done: { unchanged: readonly string[]; skipped: readonly string[] }) {
    return db.transaction().execute(async (transaction) => {
      await remove(transaction, backfill, [...done.unchanged, ...done.skipped]);
      const counts = { unchanged: done.unchanged.length, skipped: done.skipped.length };
      await add(transaction, backfill, counts);
    });
  }

  /** Sets the present slice, after counting the settled records of the previous one. */
  async function beginSlice(backfill: OpenBackfill, slice: string): Promise<void> {
    const { run } = backfill;
    const before = await db.selectFrom('backfills').select('slice').where('run', '=', run).executeTakeFirstOrThrow();
    if (before.slice) await settleSlice(backfill, before.slice);
    await db.transaction().execute(async (transaction) => {
      await transaction.updateTable('backfills').set({ slice }).where('run', '=', run).execute();
      await transaction.updateTable('runs').set({ part_of: run }).where('id', '=', slice).execute();
    });
  }

  /** Counts the settled records of a slice, and removes them from the work. */
  function settleSlice(backfill: OpenBackfill, slice: string): Promise<void> {
    return db.transaction().execute(async (transaction) => {
      const settled = await transaction
        .selectFrom('records')
        .innerJoin('backfill_work', 'backfill_work.key', 'records.key')
        .select(['records.key', 'records.upload_count', 'outcome'])
        .where(({ and }) =>
          and({ 'backfill_work.backfill': backfill.run, 'records.sync': backfill.sync, 'records.run': slice }),
        )
        .execute();
      const counts = { ...zeroCounts() };
      const keys: string[] = [];
      for (const { key, outcome, upload_count } of settled) {
        // A slice removes nothing.
        if (outcome === null || outcome === 'removed') continue;
        keys.push(key);
        counts[outcome] += 1;
        counts.uploaded += upload_count;
      }
      await remove(transaction, backfill, keys);
      await add(transaction, backfill, counts);
    });
  }

  function countLeft({ run }: OpenBackfill): Promise<number> {
    return countRows(db.selectFrom('backfill_work').where('backfill', '=', run));
  }
}

/**
 * Marks work that was superseded by a run that began after the backfill had read the feed: the records that the run has read
 * (except skipped ones, which may be outside its window) or that an undo takes back; for a purge, all.
 */
export async function supersedeWork(
  transaction: Transaction<LedgerTables>,
  { run, sync }: { run: string; sync: string },
): Promise<void> {
  await sql`
    update backfill_work set is_superseded = 1
    where backfill in (
      select backfills.run from backfills
      join runs as reading on reading.id = backfills.run
      join runs as later on later.id = ${run} and later.kind in ('run', 'approve', 'undo', 'purge')
        and later.started_at >= reading.started_at
      where backfills.sync = ${sync}
    )
    and (
      key in (
        select key from staged_changes where run = ${run} and op <> 'skipped'
        union select previous_key from staged_changes where run = ${run} and previous_key is not null
      )
      or exists (select 1 from runs where id = ${run} and kind = 'purge')
    )
  `.execute(transaction);
}

/** Counts records that need only a new key. */
function moving(transaction: Transaction<LedgerTables>, run: string, op: 'unchanged' | 'skipped'): Promise<number> {
  const ofOp = transaction.selectFrom('staged_changes').where(({ and }) => and({ run, op }));
  return countRows(ofOp.where('previous_key', 'is not', null));
}

async function remove(transaction: Transaction<LedgerTables>, { run }: OpenBackfill, keys: readonly string[]) {
  if (keys.length === 0) return;
  await transaction.deleteFrom('backfill_work').where('backfill', '=', run).where('key', 'in', keys).execute();
}

/** Adds to the counts of a backfill. Only the process that carries out the backfill calls this. */
async function add(transaction: Transaction<LedgerTables>, backfill: OpenBackfill, more: Partial<RunCounts>) {
  const counts = await countsOf(transaction, backfill);
  for (const name of Object.keys(more) as CountName[]) counts[name] += more[name] ?? 0;
  await write(transaction, backfill, counts);
}

/** Counts of the records that are done so far; `read` counts the whole feed. */
async function countsOf(db: Kysely<LedgerTables>, { run }: OpenBackfill): Promise<RunCounts> {
  const row = await db.selectFrom('runs').select('counts').where('id', '=', run).executeTakeFirstOrThrow();
  return JSON.parse(row.counts) as RunCounts;
}

async function write(transaction: Transaction<LedgerTables>, { run }: OpenBackfill, counts: RunCounts) {
  await transaction
    .updateTable('runs')
    .set({ counts: JSON.stringify(counts) })
    .where('id', '=', run)
    .execute();
}
