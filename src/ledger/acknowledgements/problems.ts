import { type RawBuilder, sql } from 'kysely';
import { hashJson } from '../../core/hash.ts';
import { mayBeUnnamed, rejectionName } from '../../core/text/rejection-name.ts';
import { isWithoutFile } from '../database/conditions.ts';
import type { AcknowledgementsTable, LedgerDatabase, RecordsTable, RejectionsTable } from '../database/schema.ts';
import { all } from '../database/statements.ts';
import { filesIn } from '../database/undelivered-files.ts';
import { isOneOf } from '../database/value-lists.ts';
import { createVerificationStore } from '../verifications/verifications.ts';

export type ProblemKind = AcknowledgementsTable['kind'];

/** A problem of a record that a person can acknowledge. */
export interface PresentProblem {
  kind: ProblemKind;
  /** The key of the record; of a rejected record without one, a name of the rejection. */
  key: string;
  /** Hash of everything that makes it this problem: with another one, it is another problem. */
  hash: string;
  /** How many rejections or differences these are. */
  count: number;
}

/** Number of rejections without a key that are searched. */
const MOST_UNNAMED = 2_000;

/**
 * Returns the present problems of some records of a sync.
 * @param reading the run whose rejections count
 */
export async function presentProblems(
  sync: string,
  keys: readonly string[],
  reading: string | undefined,
  database: LedgerDatabase,
): Promise<PresentProblem[]> {
  if (keys.length === 0) return [];
  const [rejected, files, differing] = await Promise.all([
    reading === undefined ? [] : rejectionsOf(reading, keys, database),
    filesOf(sync, keys, database),
    openDifferencesOf(sync, keys, database),
  ]);
  return [
    ...toProblems('rejected', rejected),
    ...toProblems('withoutFile', files),
    ...toProblems('differs', differing),
  ];
}

/** A part of the reason of a problem. */
interface Reason {
  key: string;
  text: string;
}

function toProblems(kind: ProblemKind, reasons: readonly Reason[]): PresentProblem[] {
  return [...Map.groupBy(reasons, ({ key }) => key)].map(([key, own]) => {
    const texts = [...new Set(own.map(({ text }) => text))].sort();
    return { kind, key, hash: hashJson(texts), count: own.length };
  });
}

async function rejectionsOf(run: string, keys: readonly string[], { db }: Pick<LedgerDatabase, 'db'>) {
  const ofRun = (condition: RawBuilder<unknown>) => all<Pick<RejectionsTable, 'key' | 'code' | 'reason'>>(db)`
    select key, code, reason from rejections where run = ${run} and ${condition}
  `;
  const rows = await ofRun(sql`${isOneOf('key', keys)}`);
  if (keys.some(mayBeUnnamed)) rows.push(...(await ofRun(sql`key is null order by seq limit ${MOST_UNNAMED}`)));
  const named = rows.map((row): Reason => ({ key: rejectionName(row), text: JSON.stringify([row.code, row.reason]) }));
  return named.filter(({ key }) => keys.includes(key));
}

async function filesOf(sync: string, keys: readonly string[], { db }: Pick<LedgerDatabase, 'db'>) {
  const rows = await all<Pick<RecordsTable, 'key' | 'undelivered_files'>>(db)`
    select key, undelivered_files from records where sync = ${sync} and ${isWithoutFile} and ${isOneOf('key', keys)}
  `;
  return rows.map((row): Reason => {
    const files = Object.entries(filesIn(row.undelivered_files, 0)?.files ?? {}).map(
      ([attribute, { code, reason }]) => [attribute, code, reason],
    );
    return { key: row.key, text: JSON.stringify(files.sort()) };
  });
}

async function openDifferencesOf(sync: string, keys: readonly string[], database: LedgerDatabase) {
  const found = await createVerificationStore(database).differencesOf(sync, keys);
  return found
    .filter(({ since }) => since === 'open')
    .map(({ key, cause, cmsId, attributes, detail }): Reason => {
      const { title: _, ...about } = detail;
      return { key, text: JSON.stringify([cause, cmsId, attributes, about]) };
    });
}
