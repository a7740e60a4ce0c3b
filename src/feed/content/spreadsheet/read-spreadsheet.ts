import { CodedError } from '../../../core/errors.ts';
import type { FeedSheet } from '../../../core/feed.ts';
import { LINE_END_IN_CELL } from '../../../core/text/cell-lines.ts';
import { readRows, type SheetRow } from './sheet-rows.ts';
import { mainPart, type OpenPart, readWorkbook, type Sheet } from './workbook.ts';

/** Rows are made as long as others, up to this number of cells. */
const MOST_EMPTY = 256;

export interface SpreadsheetOptions {
  /** For messages. */
  location: string;
  /** Name of a sheet, or its number from 1. Default: the first that is not hidden. */
  sheet?: string | number;
  /** Counts what is unpacked, and refuses too much. */
  admit(bytes: number): void;
  /** Gets the sheet that is read, before its rows. */
  onSheet(sheet: FeedSheet): void;
}

/**
 * Reads a sheet of an Excel workbook (.xlsx) as CSV in UTF-8: each row is the line of its number.
 * @throws CodedError FF_FEED_FORMAT if it is another document, or has no such sheet
 */
export async function* spreadsheetAsCsv(
  openPart: OpenPart,
  { location, sheet, admit, onSheet }: SpreadsheetOptions,
): AsyncGenerator<Uint8Array> {
  const admitted = new Map<string, number>();
  const open: OpenPart = async function* (member) {
    let length = 0;
    for await (const chunk of openPart(member)) {
      length += chunk.length;
      // A sheet is read twice.
      const before = admitted.get(member) ?? 0;
      if (length > before) admit(length - before);
      admitted.set(member, Math.max(length, before));
      yield chunk;
    }
  };
  const main = await mainPart(open);
  if (main === undefined || !main.endsWith('.xml') || /^(word|ppt)\//.test(main))
    throw new CodedError('FF_FEED_FORMAT', `${location} is a document, not an .xlsx spreadsheet.`);
  const workbook = await readWorkbook(open, main);
  const chosen = findSheet(workbook.sheets, sheet, location);
  onSheet({ name: chosen.name, isChosen: sheet !== undefined, others: workbook.sheets.length - 1 });
  let line = 1;
  let width = 0;
  yield Buffer.from('\uFEFF');
  for await (const rows of readRows(open, chosen.path, workbook)) {
    let text = '';
    // Rows of one length show that the text is a table.
    width = rows.reduce((most, { cells }) => Math.max(most, Math.min(cells.length, MOST_EMPTY)), width);
    for (const row of rows) {
      // Few texts may be those of many cells.
      admit(row.cells.reduce((length, cell) => length + cell.length + 1, 0));
      text += '\n'.repeat(row.number - line) + csvLine(row, width);
      line = row.number;
    }
    if (text !== '') yield Buffer.from(text);
  }
  yield Buffer.from('\n');
}

function findSheet(sheets: readonly Sheet[], wanted: string | number | undefined, location: string): Sheet {
  const isNamed = ({ name }: Sheet) => name.trim().toLowerCase() === String(wanted).trim().toLowerCase();
  const found =
    wanted === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : (sheets.find(isNamed) ?? sheets[Number(wanted) - 1]);
  if (found) return found;
  const names = sheets.map(({ name }) => `"${name}"`).join(', ');
  const problem = wanted === undefined ? 'has no sheets' : `has no sheet "${wanted}". Its sheets are ${names}`;
  throw new CodedError('FF_FEED_FORMAT', `${location} ${problem}.`, { remedy: 'Correct `sheet` under `source`.' });
}

/** Returns a row with empty fields up to a width; an empty row as an empty line. */
function csvLine({ cells }: SheetRow, width: number): string {
  const length = cells.findLastIndex((cell) => cell !== '') + 1;
  if (length === 0) return '';
  const fields = cells.slice(0, length).map(csvField);
  return fields.join(',') + ','.repeat(Math.max(0, width - length));
}

function csvField(text: string): string {
  const line = /[\r\n]/.test(text) ? text.replaceAll(/\r\n?|\n/g, LINE_END_IN_CELL) : text;
  return /[",]|^\s|\s$/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}
