import { detectTable } from '../../../connectors/csv/detect-table.ts';
import { CodedError } from '../../core/errors.ts';
import type { SampleFormat } from './sample-format.ts';

/** A program that leaves out empty fields at the end of a row does so in many rows; a missing delimiter is an exception. */
const LEAST_SHORT = 2;
const LEAST_SHORT_SHARE = 0.1;

/**
 * Detects how a CSV text is written.
 * @throws CodedError FF_FEED_FORMAT if the text is not a table
 */
export async function csvFormat(text: string, location: string): Promise<SampleFormat> {
  const table = await detectTable(text);
  if (table === undefined) {
    throw new CodedError('FF_FEED_FORMAT', `${location} is neither iCal nor JSON, and no table with columns.`, {
      remedy: 'feedferry reads CSV and Excel with a header row, iCal, JSON, RSS and web pages with schema.org events.',
    });
  }
  const { delimiter, quote = 'none', header, names, width, rows } = table;
  const { options, evidence } = headerOptions(header, names, width);
  const isFilled = rows.short >= LEAST_SHORT && rows.short >= rows.all * LEAST_SHORT_SHARE;
  const written = {
    ...(delimiter !== ',' && { delimiter }),
    ...(quote !== '"' && { quote }),
    ...options,
    ...(isFilled && { shortRows: 'fill' }),
  };
  return {
    connector: 'csv',
    options: written,
    // Without the columns that a sync maps, a comma would not be detected as the delimiter.
    reading: { ...written, delimiter, quote },
    evidence: {
      connector: `a table of ${width} columns`,
      ...(delimiter !== ',' && { delimiter: `${rows.fitting} of ${rows.all} rows have ${width} fields with it` }),
      ...evidence,
      ...(isFilled && { shortRows: `${rows.short} of ${rows.all} rows have fewer fields than the header row` }),
    },
    open: [],
  };
}

function headerOptions(
  header: { line: number; titles: number } | undefined,
  names: readonly string[],
  width: number,
): { options: { header?: unknown }; evidence: { header?: string } } {
  if (header === undefined) {
    return { options: { header: uniqueNames(Array(width).fill('')) }, evidence: { header: 'the first row is data' } };
  }
  const unique = uniqueNames(names);
  if (unique.some((name, index) => name !== names[index])) {
    const evidence = { header: 'names of the header row are repeated or empty' };
    return { options: { header: { line: header.line, names: unique } }, evidence };
  }
  if (header.titles === 0) return { options: {}, evidence: {} };
  return { options: { header: header.line }, evidence: { header: `${header.titles} rows above the header row` } };
}

/** Names empty columns by their position, and numbers repeated names. */
function uniqueNames(names: readonly string[]): string[] {
  const unique: string[] = [];
  for (const [index, name] of names.entries()) {
    const base = name === '' ? `column${index + 1}` : name;
    const isFree = (candidate: string) =>
      !unique.includes(candidate) && (candidate === name || !names.includes(candidate));
    let candidate = base;
    for (let number = 2; !isFree(candidate); number += 1) candidate = `${base}_${number}`;
    unique.push(candidate);
  }
  return unique;
}
