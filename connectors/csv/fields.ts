import { parse } from 'csv-parse/sync';
import type { Dialect, Row } from './rows.ts';

/** Rows go to csv-parse by the hundred: parsing them one by one costs several times as much. */
const BATCH = 256;

/** A row and its cells. */
export interface ParsedRow {
  row: Row;
  cells: string[];
}

/** Splits rows into cells. The first row, which may name the columns, comes before any other is looked at. */
export async function* splitFields(rows: AsyncIterable<Row>, dialect: Dialect): AsyncGenerator<ParsedRow> {
  let batch: Row[] = [];
  let length = 0;
  let size = 1;
  for await (const row of rows) {
    batch.push(row);
    length += row.text.length;
    if (batch.length < size && length < dialect.maxLength) continue;
    yield* parseBatch(batch, dialect);
    batch = [];
    length = 0;
    size = BATCH;
  }
  yield* parseBatch(batch, dialect);
}

function parseBatch(rows: Row[], { delimiter, quote }: Dialect): ParsedRow[] {
  const text = rows.map((row) => row.text).join('\n');
  const records = parse(text, {
    delimiter,
    quote,
    escape: quote,
    record_delimiter: '\n',
    relax_column_count: true,
    max_record_size: 0,
  });
  if (records.length !== rows.length) throw new Error(`csv-parse made ${records.length} rows of ${rows.length}`);
  return rows.map((row, index) => ({ row, cells: records[index] ?? [] }));
}
