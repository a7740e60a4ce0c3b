import { z } from 'zod';
import { defineConnector, type ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { assembleRows, type Row } from './assemble-rows.ts';
import { detectDialect, takeSample } from './detect-dialect.ts';
import { checkMappedColumns, columnNames } from './header.ts';
import { splitFields } from './split-fields.ts';
import { splitLines } from './split-lines.ts';

const oneCharacter = z.string().length(1);

const options = z.strictObject({
  /** Default: found out, one of , ; tab |. */
  delimiter: oneCharacter.optional(),
  /** Default: found out, " or '. `none`: quotes are characters like any other. */
  quote: z.union([oneCharacter, z.literal('none')]).optional(),
  /**
   * A list: no row names the columns, these are the names. A number: the line of the row that does. Default, or true: the
   * first row that has all the columns the sync maps.
   */
  header: z.union([z.literal(true), z.int().positive(), z.array(z.string().min(1)).min(1)]).default(true),
  /** Lines that start with it are left out. */
  comment: oneCharacter.optional(),
  /** Longest record, in characters of decoded text; a longer one is rejected. */
  maxRecordBytes: z.int().positive().default(5_000_000),
});

type CsvOptions = z.infer<typeof options>;

/**
 * Reads CSV (RFC 4180) as it is found: any line ends, delimiter, quote and header row found out and reported where they are
 * unusual, every value text. A bad row is rejected by its line.
 * @throws CodedError FF_FEED_COLUMNS where the header does not fit, FF_FEED_FORMAT where there is none.
 */
export const csv = defineConnector<CsvOptions>({ kind: 'csv', options, read });

async function* read(feed: Feed, options: CsvOptions, context: ReadContext): AsyncGenerator<SourceRecord> {
  const { sample, all } = await takeSample(splitLines(withoutNuls(feed, context), options.maxRecordBytes));
  const { firstLine, findings, delimiter, quote } = detectDialect(sample, known(options, context));
  if (findings.length > 0) context.warn({ at: feed.location, message: `found out: ${findings.join(', ')}` });
  const dialect = { delimiter, quote, comment: options.comment, maxLength: options.maxRecordBytes };
  const batches = assembleRows(from(firstLine, all), dialect, (line) =>
    context.incomplete(`a quote opened in line ${line} is never closed`),
  );
  let columns = Array.isArray(options.header) ? checkedColumns(options.header, feed, context) : undefined;
  for await (const rows of batches) {
    for (const { row, fields } of splitFields(rows, dialect)) {
      if (columns === undefined) columns = headerColumns(row, fields, feed, context);
      else if (row.problem !== undefined || fields.some((cell) => cell.trim() !== '')) {
        const problem = row.problem ?? raggedness(row, fields, columns, feed);
        if (problem === undefined) yield { at: `line ${row.line}`, fields: toFields(columns, fields) };
        else rejectRow(row, problem, context);
      }
    }
  }
  if (columns === undefined) throw new CodedError('FF_FEED_FORMAT', `${feed.location} has no header row.`);
}

/** No CMS or database takes NULs. */
async function* withoutNuls(feed: Feed, context: ReadContext): AsyncGenerator<string> {
  let warned = false;
  for await (const text of feed.text()) {
    const hasNuls = text.includes('\0');
    if (hasNuls && !warned) context.warn({ at: feed.location, message: 'NUL characters were left out' });
    warned ||= hasNuls;
    yield hasNuls ? text.replaceAll('\0', '') : text;
  }
}

function known({ delimiter, quote, header, comment }: CsvOptions, { mappedFields }: ReadContext) {
  const headerLine = Array.isArray(header) ? (false as const) : header === true ? undefined : header;
  return { delimiter, quote: quote === 'none' ? null : quote, headerLine, comment, mappedFields };
}

async function* from<Item extends { number: number }>(first: number, batches: AsyncIterable<Item[]>) {
  for await (const items of batches) {
    yield (items[0]?.number ?? first) >= first ? items : items.filter(({ number }) => number >= first);
  }
}

/** Without its header row the next row would pass for it. */
function headerColumns(row: Row, cells: string[], feed: Feed, context: ReadContext): string[] {
  if (row.problem === undefined) return checkedColumns(cells, feed, context);
  const place = `${feed.location}: the header row in line ${row.line}`;
  throw new CodedError('FF_FEED_COLUMNS', `${place} cannot be read: ${row.problem}.`);
}

function checkedColumns(header: readonly string[], feed: Feed, context: ReadContext): string[] {
  const columns = columnNames(header, feed.location);
  checkMappedColumns(columns, context.mappedFields, feed.location);
  return columns;
}

function raggedness(row: Row, cells: string[], columns: readonly string[], feed: Feed): string | undefined {
  // Only the last row can lack its line end; where the feed broke off, its last value may be half a value.
  if (!row.terminated && !feed.receipt().complete) return 'the feed broke off inside this row';
  const surplus = cells.length > columns.length && cells.slice(columns.length).some((cell) => cell.trim() !== '');
  if (cells.length >= columns.length && !surplus) return undefined;
  return `the row has ${cells.length} cells, the header has ${columns.length}`;
}

function toFields(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  // Made by plain assignment, which is fast; a column of this name would set the prototype instead.
  if (columns.includes('__proto__')) return Object.fromEntries(columns.map((name, index) => [name, cells[index]]));
  const fields: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) fields[name] = cells[index];
  return fields;
}

function rejectRow(row: Row, reason: string, context: ReadContext): void {
  const fields = { row: row.text.slice(0, 200) };
  context.reject({ at: `line ${row.line}`, code: 'FF_RECORD_MALFORMED', reason, fields });
}
