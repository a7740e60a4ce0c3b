import type { ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import { peek } from '../../src/core/peek.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { splitLines } from '../text/split-lines.ts';
import { assembleRows, type Row } from './assemble-rows.ts';
import { columnNames } from './column-names.ts';
import { detectDialect, SAMPLE_LINES } from './detect-dialect.ts';
import { readHeader } from './header.ts';
import type { CsvOptions } from './options.ts';
import { createRowReader, rejectRow } from './read-rows.ts';
import { contextOfSheet, locationOfSheet, optionsOfSheet, recordOfSheet, rowOfSheet } from './sheet.ts';
import { splitFields } from './split-fields.ts';
import { type Table, usualWidth } from './table.ts';

/**
 * Reads CSV (RFC 4180) and its common variants: any line ends, with delimiter, quote and header row detected, and reported
 * if they are unusual. All values are text. A malformed row is rejected by its line number.
 * @throws CodedError FF_FEED_COLUMNS if the header does not fit, FF_FEED_FORMAT if there is none
 */
export async function* readCsv(feed: Feed, given: CsvOptions, wanted: ReadContext): AsyncGenerator<SourceRecord> {
  const lines = splitLines(withoutNuls(feed, wanted), given.maxRecordBytes);
  const { first, all } = await peek(lines, (batches) => batches.flat().length >= SAMPLE_LINES);
  const sheet = feed.sheet?.();
  const [options, context] = sheet ? [optionsOfSheet(given), contextOfSheet(wanted, sheet)] : [given, wanted];
  const location = sheet ? locationOfSheet(feed.location, sheet) : feed.location;
  const sample = first.flat().slice(0, SAMPLE_LINES);
  const { dialect, rows, otherTable, findings } = await detectDialect(sample, options, context.mappedFields);
  if (sheet && !sheet.isChosen && sheet.others > 0) findings.push(`sheet: "${sheet.name}", one of ${sheet.others + 1}`);
  if (findings.length > 0) context.warn({ at: feed.location, message: `Detected ${findings.join(', ')}` });
  for (const { row } of otherTable?.rows ?? []) rejectRow(row, otherTable?.problem ?? '', context);
  const batches = assembleRows(all, dialect, (line) =>
    context.incomplete(`the quote opened in line ${line} is never closed`),
  );
  const usual = usualWidth(Array.isArray(options.header) ? rows : rows.slice(1));
  const tableOf = (header: readonly string[], length = header.length): Table => {
    const columns = readHeader(header, context.mappedFields, location);
    if (sheet) return { columns, width: columns.length };
    const width = usual !== undefined && usual >= columns.length ? usual : length;
    const message = `Ignored the empty fields at the end of rows: they have ${width}, the header has ${length}`;
    if (width > length) context.warn({ at: feed.location, message });
    return { columns, width };
  };
  const readerOf = (header: readonly string[], written: readonly string[], line?: number) => {
    const first = { ...tableOf(header, written.length), written: columnNames(written), line };
    return createRowReader(first, { dialect, options, feed, context });
  };
  let reader = Array.isArray(options.header) ? readerOf(options.header, options.header) : undefined;
  for await (const rows of batches) {
    if (rows.length > 0) context.report({ lastLineEnded: rows.at(-1)?.terminated });
    for (const one of splitFields(rows, dialect)) {
      const split = sheet ? rowOfSheet(one) : one;
      // Delegating to a list (yield*) takes longer than the list.
      if (reader) for (const record of reader.read(split)) yield sheet ? recordOfSheet(record, sheet) : record;
      else {
        refuseMalformedHeader(split.row, feed);
        reader = readerOf(replacedHeader(split.fields, options, feed), split.fields, split.row.line);
      }
    }
  }
  if (reader === undefined) throw new CodedError('FF_FEED_FORMAT', `${location} has no header row.`);
  for (const record of reader.end()) yield sheet ? recordOfSheet(record, sheet) : record;
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

/** Names for a header row of another length would shift. */
function replacedHeader(fields: readonly string[], { header }: CsvOptions, feed: Feed): readonly string[] {
  if (typeof header !== 'object' || Array.isArray(header)) return fields;
  const { names, line } = header;
  const named = fields.findLastIndex((field) => field.trim() !== '') + 1;
  if (names.length >= named && names.length <= fields.length) return names;
  const problem = `the header row has ${named} columns, but source.header has ${names.length} names`;
  throw new CodedError('FF_FEED_COLUMNS', `${feed.location}:${line}: ${problem}.`);
}
