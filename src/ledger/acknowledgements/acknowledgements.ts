import { type RawBuilder, sql } from 'kysely';
import { rejectionName } from '../../core/text/rejection-name.ts';
import type { AcknowledgementsTable, LedgerDatabase, RejectionsTable } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { createPastRunStore } from '../runs/run-list.ts';
import { type PresentProblem, type ProblemKind, presentProblems } from './problems.ts';

const DAY_MS = 86_400_000;

/** A problem that a person knows of and leaves as it is. It counts until its reason changes. */
export interface Acknowledged extends Pick<PresentProblem, 'kind' | 'key' | 'count'> {
  by: string;
  /** ISO instant. */
  at: string;
  note?: string;
}

/** How many problems of a sync are acknowledged: rejections, records without a file, and differences. */
export type AcknowledgedCounts = Record<ProblemKind, number>;

type AcknowledgedRow = Omit<AcknowledgementsTable, 'sync' | 'record' | 'reject'> & { sync: string; key: string };

/** What is acknowledged: problems of records, until their reasons change. */
export function createAcknowledgementStore(database: LedgerDatabase) {
  const { db, now, forRows } = database;
  const { lastReading } = createPastRunStore(database);
  return { acknowledge, takeBack, acknowledged, countAcknowledged, keepAcknowledged, keysRejectedFor };

  /**
   * Acknowledges all present problems of some records.
   * @returns the keys of the records that have a problem
   */
  async function acknowledge(
    sync: string,
    keys: readonly string[],
    by: { person: string; note?: string },
  ): Promise<string[]> {
    const problems = await presentProblems(sync, keys, await readingOf(sync), database);
    const { person, note = null } = by;
    const rows = problems.map(({ kind, key, hash: about_hash }) => ({ sync, key, kind, about_hash, person, note }));
    await db.transaction().execute(async (transaction) => {
      const isReject = ({ kind }: (typeof rows)[number]) => kind === 'rejected';
      const ofRejects = (table: RawBuilder<unknown>) =>
        store(sql`sync, reject`, sql`given.sync, key`, sql`${table} as given`);
      await forRows(transaction, rows.filter(isReject), ofRejects);
      const joined = sql`join records on records.sync = given.sync and records.key = given.key`;
      const ofRecords = (table: RawBuilder<unknown>) =>
        store(sql`record`, sql`records.id`, sql`${table} as given ${joined}`);
      await forRows(
        transaction,
        rows.filter((row) => !isReject(row)),
        ofRecords,
      );
    });
    return [...new Set(problems.map(({ key }) => key))];
  }

  function store(about: RawBuilder<unknown>, named: RawBuilder<unknown>, from: RawBuilder<unknown>) {
    return sql`
      insert into acknowledgements (${about}, kind, about_hash, person, note, answered_at, used_at)
      select ${named}, kind, about_hash, person, note, ${now}, ${now} from ${from} where true
      on conflict (${about}, kind) do update set about_hash = excluded.about_hash, person = excluded.person, note = excluded.note,
        answered_at = excluded.answered_at, used_at = excluded.used_at`;
  }

  /** Forgets that problems of records were acknowledged; returns the keys of those records. */
  async function takeBack(sync: string, keys: readonly string[]): Promise<string[]> {
    const known = await acknowledgedRows([sync], keys);
    const isOfRecord = sql`record in (select id from records where sync = ${sync} and ${isOneOf('records.key', keys)})`;
    await change(db)`
      delete from acknowledgements where ${isOfRecord} or (sync = ${sync} and ${isOneOf('reject', keys)})
    `;
    return [...new Set(known.map(({ key }) => key))];
  }

  /**
   * The acknowledged problems of a sync, or of one record, whose reasons are the same as then.
   * @param of.reading the run whose rejections count; absent: the last one that has read the feed
   */
  async function acknowledged(
    sync: string,
    { reading, key: record }: { reading?: string | undefined; key?: string } = {},
  ): Promise<Acknowledged[]> {
    const rows = await acknowledgedRows([sync], record === undefined ? undefined : [record]);
    if (rows.length === 0) return [];
    const keys = [...new Set(rows.map(({ key }) => key))];
    const problems = await presentProblems(sync, keys, reading ?? (await readingOf(sync)), database);
    return rows.flatMap(({ kind, key, about_hash, person, answered_at, note }) => {
      const same = problems.find((problem) => problem.kind === kind && problem.key === key);
      if (same?.hash !== about_hash) return [];
      const at = new Date(answered_at).toISOString();
      return [{ kind, key, count: same.count, by: person, at, ...(note !== null && { note }) }];
    });
  }

  /** Counts the acknowledged problems of each of these syncs; those without any are absent. */
  async function countAcknowledged(
    syncs: ReadonlyArray<{ sync: string; reading?: string | undefined }>,
  ): Promise<Map<string, AcknowledgedCounts>> {
    const having = new Set((await acknowledgedRows(syncs.map(({ sync }) => sync))).map(({ sync }) => sync));
    const counted = syncs
      .filter(({ sync }) => having.has(sync))
      .map(async ({ sync, reading }) => [sync, countsOf(await acknowledged(sync, { reading }))] as const);
    return new Map(await Promise.all(counted));
  }

  /** Keeps the acknowledgements of rejects that a sync still has: others expire. */
  async function keepAcknowledged(sync: string): Promise<void> {
    const rejects = (await acknowledged(sync)).flatMap(({ kind, key }) => (kind === 'rejected' ? [key] : []));
    if (rejects.length === 0) return;
    await change(db)`
      update acknowledgements set used_at = ${now}
      where sync = ${sync} and ${isOneOf('reject', rejects)} and used_at < ${now} - ${DAY_MS}
    `;
  }

  /** The names of all rejections of the last reading that have this code. */
  async function keysRejectedFor(sync: string, code: string): Promise<string[]> {
    const run = await readingOf(sync);
    if (run === undefined) return [];
    const rows = await all<Pick<RejectionsTable, 'key' | 'code' | 'reason'>>(db)`
      select key, code, reason from rejections where run = ${run} and code = ${code}
    `;
    return [...new Set(rows.map(rejectionName))];
  }

  function acknowledgedRows(syncs: readonly string[], keys?: readonly string[]): Promise<AcknowledgedRow[]> {
    const isNamed = (column: string) => (keys ? isOneOf(column, keys) : sql`1 = 1`);
    // Acknowledged problems are few among all records.
    return all<AcknowledgedRow>(db)`
      select kind, about_hash, person, answered_at, used_at, note, records.sync, records.key
      from acknowledgements cross join records
      where records.id = acknowledgements.record and ${isOneOf('records.sync', syncs)} and ${isNamed('records.key')}
      union all
      select kind, about_hash, person, answered_at, used_at, note, sync, reject from acknowledgements where ${isOneOf('sync', syncs)} and ${isNamed('reject')}
      order by key
    `;
  }

  async function readingOf(sync: string): Promise<string | undefined> {
    return (await lastReading(sync))?.run;
  }
}

/** Counts acknowledged problems by kind. */
export function countsOf(found: readonly Acknowledged[]): AcknowledgedCounts {
  const sum = (kind: ProblemKind) =>
    found.filter((each) => each.kind === kind).reduce((total, { count }) => total + count, 0);
  return { rejected: sum('rejected'), withoutFile: sum('withoutFile'), differs: sum('differs') };
}
