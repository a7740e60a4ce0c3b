import { parse } from 'csv-parse/sync';
import type { Dialect, Row } from './assemble-rows.ts';

/** A row and its cells. */
export interface SplitRow {
  row: Row;
  fields: string[];
}

/**
 * The cells of each row, whose quotes are well-formed; made one by one, to hold little. Rows without quotes are just
 * split; the others go to csv-parse together, since parsing them one by one costs several times as much.
 */
export function* splitFields(rows: readonly Row[], dialect: Dialect): Generator<SplitRow> {
  const { delimiter, quote } = dialect;
  const isQuoted = ({ text, problem }: Row) => quote !== undefined && problem === undefined && text.includes(quote);
  const quoted = rows.filter(isQuoted);
  const parsed = quoted.length === 0 ? [] : parseQuoted(quoted, dialect);
  let next = 0;
  for (const row of rows) {
    if (row === quoted[next]) {
      yield { row, fields: parsed[next] ?? [] };
      next += 1;
    } else {
      yield { row, fields: row.text.split(delimiter) };
    }
  }
}

function parseQuoted(rows: readonly Row[], { delimiter, quote }: Dialect): string[][] {
  const records = parse(rows.map((row) => row.text).join('\n'), {
    delimiter,
    quote,
    escape: quote,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: 0,
  });
  if (records.length !== rows.length) throw new Error(`csv-parse made ${records.length} rows of ${rows.length}`);
  return records;
}
