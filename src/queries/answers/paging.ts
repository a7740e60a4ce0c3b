import type { z } from 'zod';
import { CodedError } from '../../core/errors.ts';
import type { RunStatus } from '../../core/run.ts';
import type { ChangeFilter } from '../../ledger/attempts/run-changes.ts';

/** Position in a list that is read in pages. */
export interface Paging {
  /** The `next` of the previous page; absent for the first page. */
  after?: string;
  limit: number;
}

/** Which runs are listed. */
export interface RunSearch extends Paging {
  /** Name of a sync; if absent, the runs of all syncs are listed. */
  sync?: string;
  /** Day on which they began, in the site's zone, such as 2027-03-01. */
  day?: string;
  /** Their results; if absent, all. */
  statuses?: readonly RunStatus[];
  /** Only runs that changed something in the CMS. */
  changed?: boolean;
}

/** Which rejections are listed. */
export interface RejectSearch {
  /** The run that has rejected; if absent, the last reading. */
  run?: string | undefined;
  /** How many of each code; if absent, the first 20. */
  limit?: number | undefined;
}

/** Which changes of a run are listed. */
export interface ChangeSearch extends Paging, ChangeFilter {}

/** Criteria of a search for records. */
export interface RecordSearch extends Paging {
  /** Whether each word may have a letter too many, too few, or wrong, after its first two. */
  isSimilar?: boolean;
  /** Name of a sync; if absent, all syncs are searched. */
  sync?: string;
  /**
   * Beginnings of words of title, name, key and e-mail address, a day or month, a CMS id or a CMS address; if absent, all records
   * are found.
   */
  words?: string;
  states?: readonly string[];
  /** Whether the viewer sees no e-mail addresses: then no record is found by what it hides. */
  isMasked?: boolean;
}

/**
 * Reads one page of a list.
 * @param read reads up to `limit` rows that follow a cursor
 * @param cursorOf returns the cursor with which the list continues after a row
 * @returns the rows, and the cursor of the next page unless this is the last page
 */
export async function pageOf<Row>(
  { after, limit }: Paging,
  read: (after: string | undefined, limit: number) => Promise<Row[]>,
  cursorOf: (row: Row) => string,
): Promise<{ rows: Row[]; next?: string }> {
  const found = await read(after, limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, ...(last !== undefined && found.length > limit && { next: cursorOf(last) }) };
}

/** Reads one page of a list that is ordered by keys, as `pageOf` does. */
export async function pageByKey<Row extends { key: string }>(
  paging: Paging,
  read: (after: string, limit: number) => Promise<Row[]>,
): Promise<{ rows: Row[]; next?: string }> {
  return pageOf(
    paging,
    (after = '', limit) => read(after, limit),
    ({ key }) => key,
  );
}

/** Encodes a position in a list as a text for addresses. */
export function toCursor(position: z.core.util.JSONType): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Decodes a position.
 * @throws CodedError FF_HTTP_REQUEST for a text that is not a cursor of this list
 */
export function readCursor<Position>(cursor: string, position: z.ZodType<Position>): Position {
  try {
    const text = Buffer.from(cursor, 'base64url').toString();
    if (text.includes('\\u0000')) throw new Error('A cursor of a list has no null character.');
    return position.parse(JSON.parse(text));
  } catch (cause) {
    throw foreignCursor(cursor, cause);
  }
}

/** Returns the error for a text that is not a cursor. */
export function foreignCursor(cursor: string, cause: unknown): CodedError {
  const remedy = 'Read the list again from its beginning.';
  return new CodedError('FF_HTTP_REQUEST', `"${cursor}" is not the "next" of an earlier page.`, { cause, remedy });
}
