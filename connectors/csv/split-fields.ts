import { parse } from 'csv-parse/sync';
import type { Row } from './assemble-rows.ts';
import type { Quoting } from './scan-quotes.ts';

/** A row with its fields: none if the row cannot be read. */
export interface SplitRow {
  row: Row;
  fields: readonly string[];
}

/**
 * Splits rows into their fields, in one call of csv-parse. If csv-parse finds other rows in a batch, it gets them one by one:
 * no field may move to another row. A row that it cannot read alone has a problem. That happens with a line feed in the
 * delimiter, or with half a character as the quote, because csv-parse compares bytes.
 */
export function splitFields(rows: readonly Row[], dialect: Quoting): SplitRow[] {
  const sound = rows.filter(({ problem }) => problem === undefined);
  const batch = fieldsOf(sound)?.values();
  return rows.map((row) => {
    if (row.problem !== undefined) return { row, fields: [] };
    const fields = batch === undefined ? fieldsOf([row])?.[0] : batch.next().value;
    return fields ? { row, fields } : { row: { ...row, problem: 'csv-parse cannot split it into fields' }, fields: [] };
  });

  function fieldsOf(these: readonly Row[]): string[][] | undefined {
    const options = {
      delimiter: dialect.delimiter,
      quote: dialect.quote ?? false,
      escape: dialect.quote ?? false,
      record_delimiter: '\n',
      relax_column_count: true,
      // Quotes in pairs inside an unquoted field are text.
      relax_quotes: true,
    };
    try {
      const found: string[][] = parse(these.map(({ text }) => text).join('\n'), options);
      return isSame(found, these) ? found : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Whether rows end where they should: each line feed is inside the same row as before, or between the same rows. */
function isSame(found: readonly string[][], rows: readonly Row[]): boolean {
  return (
    found.length === rows.length &&
    rows.every(({ text }, index) => lineFeedsIn(text) === lineFeedsIn(found[index]?.join('') ?? ''))
  );
}

function lineFeedsIn(text: string): number {
  return text.includes('\n') ? text.split('\n').length - 1 : 0;
}

/** Returns true if a row has no values. */
export function isBlank(fields: readonly string[]): boolean {
  return fields.every((field) => field.trim() === '');
}
