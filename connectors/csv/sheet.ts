import type { ReadContext } from '../../src/core/connector.ts';
import type { FeedSheet } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { LINE_END_IN_CELL } from '../../src/core/text/cell-lines.ts';
import type { CsvOptions } from './options.ts';
import type { SplitRow } from './split-fields.ts';

/** How the text of a spreadsheet is written, whatever the options say. Later rows may be longer. */
export function optionsOfSheet(options: CsvOptions): CsvOptions {
  return { ...options, delimiter: ',', quote: '"', comment: undefined, shortRows: 'fill' };
}

/** Names sheet and row instead of the line of the text, which is the number of the row. */
export function contextOfSheet(context: ReadContext, sheet: FeedSheet): ReadContext {
  return {
    ...context,
    reject: ({ at, reason, ...rest }) => context.reject({ ...rest, at: placeIn(sheet, at), reason: withRows(reason) }),
    warn: ({ at, message }) => context.warn({ at: placeIn(sheet, at), message: withRows(message) }),
  };
}

/** Names the sheet that was read, and how another is read. */
export function locationOfSheet(location: string, { name, others }: FeedSheet): string {
  return `${location}, sheet "${name}"${others > 0 ? ` (one of ${others + 1}: sheet: NAME under source reads another)` : ''},`;
}

export function recordOfSheet(record: SourceRecord, sheet: FeedSheet): SourceRecord {
  return { ...record, at: placeIn(sheet, record.at) };
}

/** Returns a row with the line ends of its cells. */
export function rowOfSheet({ row, fields }: SplitRow): SplitRow {
  return { row, fields: fields.map((field) => field.replaceAll(LINE_END_IN_CELL, '\n')) };
}

function placeIn({ name }: FeedSheet, at: string): string {
  return at.replace(/^line (?=\d+$)/, `sheet "${name}", row `);
}

function withRows(text: string): string {
  return text.replace(/(?<=\bheader row(?: in|:) )line (?=\d)/g, 'row ');
}
