import { rejectionName } from '../../core/text/rejection-name.ts';
import { type AnswersByKind, createAnswerStore } from '../answers/answers.ts';
import { inPlace } from '../database/kept-as.ts';
import type { AnswersTable, LedgerDatabase } from '../database/schema.ts';
import { createPastRunStore } from '../runs/run-list.ts';
import { type PresentProblem, type ProblemKind, presentProblems } from './problems.ts';

const KINDS = ['rejected', 'withoutFile', 'differs'] as const satisfies ProblemKind[];

/** A problem that a person knows of and leaves as it is. It counts until its reason changes. */
export interface Acknowledged extends Pick<PresentProblem, 'kind' | 'key' | 'count'> {
  by: string;
  /** ISO instant. */
  at: string;
  note?: string;
}

/** How many problems of a sync are acknowledged: rejections, records without a file, and differences. */
export type AcknowledgedCounts = Record<ProblemKind, number>;

/** What is acknowledged: problems of records, until their reasons change. */
export function createAcknowledgementStore(database: LedgerDatabase) {
  const { db } = database;
  const answers = createAnswerStore(database, inPlace);
  const { lastReading } = createPastRunStore(database);
  return { acknowledge, takeBack, acknowledged, acknowledgedOf, countAcknowledged, keepAcknowledged, keysRejectedFor };

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
    for (const kind of KINDS) {
      const own = problems.filter((problem) => problem.kind === kind);
      const given = own.map(({ key, hash }) => ({ key, aboutHash: hash, answer: 'acknowledged' as const, ...by }));
      await answers.answer<keyof AnswersByKind>(sync, kind, given);
    }
    return [...new Set(problems.map(({ key }) => key))];
  }

  /** Forgets that problems of records were acknowledged; returns the keys of those records. */
  async function takeBack(sync: string, keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const rows = await db
      .deleteFrom('answers')
      .where('sync', '=', sync)
      .where('answer', '=', 'acknowledged')
      .where('kind', 'in', KINDS)
      .where('key', 'in', keys)
      .returning('key')
      .execute();
    return [...new Set(rows.map(({ key }) => key))];
  }

  /**
   * The acknowledged problems of a sync whose reasons are the same as then.
   * @param reading the run whose rejections count; absent: the last one that has read the feed
   */
  async function acknowledged(sync: string, reading?: string): Promise<Acknowledged[]> {
    return stillValid(sync, await acknowledgedRows([sync]), reading);
  }

  /** The acknowledged problems of one record. */
  async function acknowledgedOf(sync: string, key: string): Promise<Acknowledged[]> {
    return stillValid(sync, await acknowledgedRows([sync], key));
  }

  async function stillValid(sync: string, rows: readonly AnswersTable[], reading?: string): Promise<Acknowledged[]> {
    if (rows.length === 0) return [];
    const keys = [...new Set(rows.map(({ key }) => key))];
    const problems = await presentProblems(sync, keys, reading ?? (await readingOf(sync)), database);
    return rows.flatMap(({ kind, key, about_hash, person, answered_at, note }) => {
      const same = problems.find((problem) => problem.kind === kind && problem.key === key);
      if (same?.hash !== about_hash) return [];
      const at = new Date(answered_at).toISOString();
      return [{ kind: same.kind, key, count: same.count, by: person, at, ...(note !== null && { note }) }];
    });
  }

  /** Counts the acknowledged problems of each of these syncs; those without any are absent. */
  async function countAcknowledged(
    syncs: ReadonlyArray<{ sync: string; reading?: string | undefined }>,
  ): Promise<Map<string, AcknowledgedCounts>> {
    const having = new Set((await acknowledgedRows(syncs.map(({ sync }) => sync))).map(({ sync }) => sync));
    const counted = syncs
      .filter(({ sync }) => having.has(sync))
      .map(async ({ sync, reading }) => [sync, countsOf(await acknowledged(sync, reading))] as const);
    return new Map(await Promise.all(counted));
  }

  /** Keeps the acknowledgements of problems that a sync still has: others expire. */
  async function keepAcknowledged(sync: string): Promise<void> {
    const found = await acknowledged(sync);
    for (const kind of KINDS) {
      const keys = found.filter((each) => each.kind === kind).map(({ key }) => key);
      await answers.noteUse(sync, kind, keys);
    }
  }

  /** The names of all rejections of the last reading that have this code. */
  async function keysRejectedFor(sync: string, code: string): Promise<string[]> {
    const run = await readingOf(sync);
    if (run === undefined) return [];
    const rows = await db
      .selectFrom('rejections')
      .select(['key', 'code', 'reason'])
      .where('run', '=', run)
      .where('code', '=', code as 'FF_BUG')
      .execute();
    return [...new Set(rows.map(rejectionName))];
  }

  async function acknowledgedRows(syncs: readonly string[], key?: string): Promise<AnswersTable[]> {
    if (syncs.length === 0) return [];
    return db
      .selectFrom('answers')
      .selectAll()
      .where('sync', 'in', syncs)
      .where('answer', '=', 'acknowledged')
      .where('kind', 'in', KINDS)
      .$if(key !== undefined, (query) => query.where('key', '=', key ?? ''))
      .orderBy('key')
      .execute();
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
