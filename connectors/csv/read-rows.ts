import type { ReadContext } from '../../src/core/connector.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import type { Dialect, Row } from './assemble-rows.ts';
import { DELIMITERS } from './candidates.ts';
import { columnNames, listNames, nameKey } from './column-names.ts';
import { nameOf } from './detect-dialect.ts';
import { headerProblem } from './header.ts';
import { isHeaderLike, judgeRow, type RowKind } from './judge-row.ts';
import type { CsvOptions } from './options.ts';
import { createProfile } from './profile.ts';
import { createRecordReader } from './read-record.ts';
import { isBlank, type SplitRow } from './split-fields.ts';
import { raggedness, type Table } from './table.ts';

/** The table of the first header row, with the names that this row has in the feed. */
export interface FirstTable extends Table {
  written: readonly string[];
  /** Undefined: the names are those of the options. */
  line?: number;
}

/** So many titles may be above a repeated header row. */
const MOST_TITLES = 3;
const NO_RECORDS: readonly SourceRecord[] = [];
const SHIFTED = 'its values are shifted to the right: enclose values that contain the delimiter or quotes in quotes';
const REMARK = 'the row looks like a total, a title or a note: it has no such values as the rows above it';

/**
 * Reads the rows below the first header row, one after the other. Further header rows with the same names, in any order, count for
 * the rows below them. Below the header row of another table, rows are rejected up to the next that has the mapped columns.
 */
export function createRowReader(
  first: FirstTable,
  { dialect, options, feed, context }: { dialect: Dialect; options: CsvOptions; feed: Feed; context: ReadContext },
) {
  const profile = createProfile();
  const readRecord = createRecordReader(context);
  /** The names of the columns by the keys of all names that header rows have for them. */
  const names = new Map(first.written.map((name, index) => [nameKey(name), first.columns[index] ?? name]));
  for (const name of first.columns) names.set(nameKey(name), name);
  const isKnown = (key: string) => names.has(key);
  const isSheet = feed.sheet?.() !== undefined;
  let table: Table = first;
  /** Why rows cannot be read. */
  let suspended: string | undefined;
  let isAfterGap = false;
  let hasRecords = false;
  /** Rows that are titles if a header row follows. */
  const titles: Array<{ row: Row; reject: () => readonly SourceRecord[] }> = [];
  profile.setColumns(first.columns);
  return { read, end: rejectTitles };

  /** Returns the record of a row, and those of titles above it that turn out to be none. */
  function read(split: SplitRow): readonly SourceRecord[] {
    const { row, fields: written } = split;
    if (row.problem === undefined && isBlank(written)) {
      isAfterGap = true;
      return NO_RECORDS;
    }
    const gap = isAfterGap || row.isAfterGap;
    isAfterGap = false;
    // Cells of a sheet are in their columns. Those beside the table have no name.
    const own = isSheet ? written.slice(0, table.width) : written;
    const fields = options.shortRows === 'fill' ? filled(own, table) : own;
    const malformed = row.problem ?? cutOff(row, feed) ?? raggedness(fields, table, dialect);
    const isUsual = malformed === undefined && suspended === undefined && !gap && titles.length === 0;
    return isUsual && profile.hasAnchor(fields) ? [toRecord(row, fields)] : readUnusual(split, fields, gap, malformed);
  }

  function readUnusual(
    { row, fields: written }: SplitRow,
    fields: readonly string[],
    gap: boolean,
    malformed?: string,
  ) {
    const kind = row.problem === undefined ? kindOf(written, gap) : 'data';
    if (kind === 'header') return useHeader(row, written);
    if (kind === 'other header') suspend(row, ` is that of another table: ${listNames(columnNames(written))}`);
    else if (malformed !== undefined) suspendAtUnreadHeader(row);
    const problem = suspended ?? malformed ?? (kind === 'shifted' ? SHIFTED : undefined);
    if (kind === 'data' && problem === undefined) {
      if (!isTitle(fields)) profile.learn(fields);
      hasRecords = true;
      return [...rejectTitles(), toRecord(row, fields)];
    }
    const reject = () =>
      problem === undefined
        ? [{ ...toRecord(row, fields), problems: [{ reason: REMARK }] }]
        : rejectRow(row, problem, context);
    if (!isTitle(written)) return [...rejectTitles(), ...reject()];
    const before = titles.length >= MOST_TITLES ? rejectTitles() : NO_RECORDS;
    titles.push({ row, reject });
    return before;
  }

  function toRecord({ line }: Row, fields: readonly string[]): SourceRecord {
    return readRecord(table.columns, fields, `line ${line}`);
  }

  function kindOf(fields: readonly string[], gap: boolean): RowKind {
    // A table of one column has no other names that could confirm it.
    if (table.columns.length === 1) return columnNames(fields).join() === table.columns.join() ? 'header' : 'data';
    return judgeRow(fields, { columns: table.columns, isKnown, fit: profile.fitOf(fields), isAfterGap: gap });
  }

  /** Reads the rows below a header row by its names, or rejects them. */
  function useHeader(row: Row, fields: readonly string[]): readonly SourceRecord[] {
    const warn = (at: Row, message: string) => context.warn({ at: `line ${at.line}`, message });
    const columns = columnNames(fields).map((name) => names.get(nameKey(name)) ?? name);
    const problem = headerProblem(columns, context.mappedFields);
    if (problem !== undefined) {
      const records = rejectTitles();
      suspend(row, problem);
      rejectRow(row, suspended ?? '', context);
      if (isReplaced()) suspended = undefined;
      return records;
    }
    for (const title of titles.splice(0)) warn(title.row, `Skipped the title above the header row in line ${row.line}`);
    const isSame = columns.join('\0') === table.columns.join('\0');
    if (isSame && suspended === undefined) warn(row, 'Skipped a repeated header row');
    else warn(row, `The rows below have the columns of this header row: ${listNames(columns)}`);
    suspended = undefined;
    if (isSame) return NO_RECORDS;
    for (const name of columns) names.set(nameKey(name), name);
    table = { columns, width: isSheet ? columns.length : fields.length };
    profile.setColumns(columns);
    return NO_RECORDS;
  }

  /** Whether a header row is superfluous: the names of the options replace it. */
  function isReplaced(): boolean {
    return Array.isArray(options.header) && !hasRecords;
  }

  function suspend({ line }: Row, problem: string): void {
    const expected = `The first one${first.line === undefined ? '' : ` (line ${first.line})`} has ${listNames(first.columns)}`;
    suspended = `the header row in line ${line}${problem}. ${expected}; rows are read again below one that has the columns of the sync`;
  }

  /** Rows below a header row that cannot be read may by chance have as many fields as the others. */
  function suspendAtUnreadHeader(row: Row): void {
    const delimiter = [dialect.delimiter, ...DELIMITERS].find((one) => {
      const fields = row.text.split(one).map((field) => field.replace(/^\s*["']|["']\s*$/g, ''));
      return (one !== dialect.delimiter || row.problem !== undefined) && isHeaderLike(fields, isKnown);
    });
    if (delimiter === undefined || isReplaced()) return;
    const problem = delimiter === dialect.delimiter ? ' is malformed' : ` has another delimiter (${nameOf(delimiter)})`;
    suspend(row, `${problem}: ${row.text.slice(0, 200)}`);
  }

  function rejectTitles(): readonly SourceRecord[] {
    return titles.length === 0 ? NO_RECORDS : titles.splice(0).flatMap(({ reject }) => reject());
  }
}

/** Adds the empty fields that a row lacks at its end. */
function filled(fields: readonly string[], { width }: Table): readonly string[] {
  return fields.length < width ? [...fields, ...Array<string>(width - fields.length).fill('')] : fields;
}

/** Only the last row can lack its line end. If the feed was cut off, the last field may be incomplete. */
function cutOff(row: Row, feed: Feed): string | undefined {
  return row.terminated || feed.receipt().complete ? undefined : 'the feed was cut off inside this row';
}

/** Whether words are all that a row has, in its first field. */
function isTitle([first = '', ...others]: readonly string[]): boolean {
  return /\p{L}{2}/u.test(first) && isBlank(others);
}

/** Rejects a row. Returns no records. */
export function rejectRow({ line, text }: Row, reason: string, context: ReadContext): readonly SourceRecord[] {
  context.reject({ at: `line ${line}`, code: 'FF_RECORD_MALFORMED', reason, fields: { row: text.slice(0, 200) } });
  return NO_RECORDS;
}
