import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { readingMistake } from './config-file.ts';

/**
 * Reads a lookup table: a CSV file (RFC 4180, UTF-8) with a header row, whose first two columns are key and value.
 * @throws Error with a readable message when the file cannot be read, has rows of one column, or repeats a key
 */
export function readLookupFile(file: string): Record<string, string> {
  const [, ...rows] = parse(readText(file), {
    bom: true,
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  }) as unknown as Array<{ record: string[]; info: { lines: number } }>;

  const table = new Map<string, string>();
  for (const { record, info } of rows) {
    const [key = '', value] = record;
    if (value === undefined) throw new Error(`${file}, line ${info.lines}: needs two columns, key and value`);
    if (table.has(key)) throw new Error(`${file}, line ${info.lines}: the key "${key}" appears twice`);
    table.set(key, value);
  }
  return Object.fromEntries(table);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: ${readingMistake(error)}`);
  }
}
