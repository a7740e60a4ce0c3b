import { z } from 'zod';
import { defineConnector, type ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { Rejection, SourceRecord } from '../../src/core/record.ts';
import { checkMappedColumns, columnsOf } from './columns.ts';
import { settleDelimiter } from './delimiter.ts';
import { type ParsedRow, splitFields } from './fields.ts';
import { splitLines } from './lines.ts';
import { assembleRows } from './rows.ts';

const oneCharacter = z.string().length(1);

const options = z.strictObject({
  /** Default: the one of , ; tab | that the header line has most of. */
  delimiter: oneCharacter.optional(),
  quote: oneCharacter.default('"'),
  /** true: the first row names the columns. A list: there is no such row, these are the names. */
  header: z.union([z.literal(true), z.array(z.string().min(1)).min(1)]).default(true),
  /** Lines that start with it are left out. */
  comment: oneCharacter.optional(),
  /** Longest record, in characters of decoded text; a longer one is rejected. */
  maxRecordBytes: z.int().positive().default(5_000_000),
});

type CsvOptions = z.infer<typeof options>;

/**
 * Reads CSV (RFC 4180) as it is found: any line ends, the delimiter found from the header, every value text. A bad row is
 * rejected by its line.
 * @throws CodedError FF_FEED_COLUMNS where the header does not fit, FF_FEED_FORMAT where there is none.
 */
export const csv = defineConnector<CsvOptions>({ kind: 'csv', options, read });

async function* read(feed: Feed, options: CsvOptions, context: ReadContext): AsyncGenerator<SourceRecord> {
  const lines = splitLines(feed.text(), options.maxRecordBytes);
  const { delimiter, rest } = await settleDelimiter(lines, options);
  const dialect = { delimiter, quote: options.quote, comment: options.comment, maxLength: options.maxRecordBytes };
  let columns = options.header === true ? undefined : checkedColumns(options.header, feed, context);
  const reject: ReadContext['reject'] = (rejection) => {
    if (columns === undefined) throw unreadableHeader(feed, rejection);
    context.reject(rejection);
  };
  for await (const parsed of splitFields(assembleRows(rest, dialect, { ...context, reject }), dialect)) {
    if (columns === undefined) columns = checkedColumns(parsed.cells, feed, context);
    else if (parsed.cells.some((cell) => cell.trim() !== '')) {
      const problem = problemOf(parsed, columns, feed);
      if (problem === undefined) yield toRecord(parsed, columns);
      else rejectRow(parsed, problem, context);
    }
  }
  if (columns === undefined) throw new CodedError('FF_FEED_FORMAT', `${feed.location} has no header row.`);
}

function checkedColumns(header: readonly string[], feed: Feed, context: ReadContext): string[] {
  const columns = columnsOf(header, feed.location);
  checkMappedColumns(columns, context.mappedFields, feed.location);
  return columns;
}

/** Without its header row the next row would pass for it. */
function unreadableHeader(feed: Feed, { at, reason }: Rejection): CodedError {
  return new CodedError('FF_FEED_COLUMNS', `${feed.location}: the header row in ${at} cannot be read: ${reason}.`);
}

function problemOf({ row, cells }: ParsedRow, columns: readonly string[], feed: Feed): string | undefined {
  // Only the last row can lack its line end; where the feed broke off, its last value may be half a value.
  if (!row.terminated && !feed.receipt().complete) return 'the feed broke off inside this row';
  const surplus = cells.slice(columns.length).some((cell) => cell.trim() !== '');
  if (cells.length >= columns.length && !surplus) return undefined;
  return `the row has ${cells.length} cells, the header has ${columns.length}`;
}

function toRecord({ row, cells }: ParsedRow, columns: readonly string[]): SourceRecord {
  return { at: `line ${row.line}`, fields: Object.fromEntries(columns.map((name, index) => [name, cells[index]])) };
}

function rejectRow({ row }: ParsedRow, reason: string, context: ReadContext): void {
  const fields = { row: row.text.slice(0, 200) };
  context.reject({ at: `line ${row.line}`, code: 'FF_RECORD_MALFORMED', reason, fields });
}
