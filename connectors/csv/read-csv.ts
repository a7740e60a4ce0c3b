import type { ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import { peek } from '../../src/core/peek.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { splitLines } from '../text/split-lines.ts';
import { assembleRows, type Row } from './assemble-rows.ts';
import { detectDialect, SAMPLE_LINES } from './detect-dialect.ts';
import { readHeader } from './header.ts';
import type { CsvOptions } from './options.ts';
import { isBlank, splitFields } from './split-fields.ts';
import { isHeaderOf, raggedness, type Table, usualWidth } from './table.ts';

/**
 * Reads CSV (RFC 4180) and its common variants: any line ends, with delimiter, quote and header row detected, and reported
 * if they are unusual. All values are text. A malformed row is rejected by its line number.
 * @throws CodedError FF_FEED_COLUMNS if the header does not fit, FF_FEED_FORMAT if there is none
 */
export async function* readCsv(feed: Feed, options: CsvOptions, context: ReadContext): AsyncGenerator<SourceRecord> {
  const lines = splitLines(withoutNuls(feed, context), options.maxRecordBytes);
  const { first, all } = await peek(lines, (batches) => batches.flat().length >= SAMPLE_LINES);
  const sample = first.flat().slice(0, SAMPLE_LINES);
  const { dialect, rows, findings } = await detectDialect(sample, options, context.mappedFields);
  if (findings.length > 0) context.warn({ at: feed.location, message: `Detected ${findings.join(', ')}` });
  const batches = assembleRows(all, dialect, (line) =>
    context.incomplete(`the quote opened in line ${line} is never closed`),
  );
  const usual = usualWidth(Array.isArray(options.header) ? rows : rows.slice(1));
  const tableOf = (header: readonly string[], length = header.length): Table => {
    const columns = readHeader(header, context.mappedFields, feed.location);
    const width = usual !== undefined && usual >= columns.length ? usual : length;
    const message = `Ignored the empty fields at the end of rows: they have ${width}, the header has ${length}`;
    if (width > length) context.warn({ at: feed.location, message });
    return { columns, width };
  };
  let table = Array.isArray(options.header) ? tableOf(options.header) : undefined;
  for await (const rows of batches) {
    if (rows.length > 0) context.report({ lastLineEnded: rows.at(-1)?.terminated });
    for (const { row, fields: written } of splitFields(rows, dialect)) {
      const fields = options.shortRows === 'fill' && table ? filled(written, table) : written;
      if (table === undefined) {
        refuseMalformedHeader(row, feed);
        table = tableOf(replacedHeader(fields, options, feed), fields.length);
      } else if (row.problem !== undefined || !isBlank(fields)) {
        const at = `line ${row.line}`;
        const problem = row.problem ?? cutOff(row, feed) ?? raggedness(fields, table, dialect);
        if (problem !== undefined) rejectRow(row, problem, context);
        else if (isHeaderOf(table, fields)) context.warn({ at, message: 'Skipped a repeated header row' });
        else yield { at, fields: nameFields(table.columns, fields) };
      }
    }
  }
  if (table === undefined) throw new CodedError('FF_FEED_FORMAT', `${feed.location} has no header row.`);
}

/** No CMS or database accepts NULs. */
async function* withoutNuls(feed: Feed, context: ReadContext): AsyncGenerator<string> {
  let hasWarned = false;
  for await (const text of feed.text()) {
    const hasNuls = text.includes('\0');
    if (hasNuls && !hasWarned) context.warn({ at: feed.location, message: 'Removed NUL characters' });
    hasWarned ||= hasNuls;
    yield hasNuls ? text.replaceAll('\0', '') : text;
  }
}

/** A malformed header row refuses the feed: otherwise the next row would be taken for the header. */
function refuseMalformedHeader({ line, problem }: Row, feed: Feed): void {
  if (problem === undefined) return;
  throw new CodedError('FF_FEED_COLUMNS', `${feed.location}:${line}: the header row cannot be read: ${problem}.`);
}

/** Adds the empty fields that a row lacks at its end. */
function filled(fields: readonly string[], { width }: Table): readonly string[] {
  return fields.length < width ? [...fields, ...Array<string>(width - fields.length).fill('')] : fields;
}

/** Names for a header row of another length would shift. */
function replacedHeader(fields: readonly string[], { header }: CsvOptions, feed: Feed): readonly string[] {
  if (typeof header !== 'object' || Array.isArray(header)) return fields;
  const { names, line } = header;
  const named = fields.findLastIndex((field) => field.trim() !== '') + 1;
  if (names.length >= named && names.length <= fields.length) return names;
  const problem = `the header row has ${named} columns, but source.header has ${names.length} names`;
  throw new CodedError('FF_FEED_COLUMNS', `${feed.location}:${line}: ${problem}.`);
}

/** Only the last row can lack its line end. If the feed was cut off, the last field may be incomplete. */
function cutOff(row: Row, feed: Feed): string | undefined {
  return row.terminated || feed.receipt().complete ? undefined : 'the feed was cut off inside this row';
}

function nameFields(columns: readonly string[], fields: readonly string[]): Record<string, unknown> {
  // Plain assignment is fast, but for a column of this name it would set the prototype.
  if (columns.includes('__proto__')) return Object.fromEntries(columns.map((name, index) => [name, fields[index]]));
  const named: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) named[name] = fields[index];
  return named;
}

function rejectRow(row: Row, reason: string, context: ReadContext): void {
  const fields = { row: row.text.slice(0, 200) };
  context.reject({ at: `line ${row.line}`, code: 'FF_RECORD_MALFORMED', reason, fields });
}
