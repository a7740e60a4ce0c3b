import type { ReadContext } from '../../src/core/connector.ts';
import type { RecordProblem, SourceRecord } from '../../src/core/record.ts';
import { mayBeSpecial, readCell } from './cells.ts';

/** Columns with addresses rather than with the texts of links. */
const LINK_NAME = /ur[li]|link|href|web|image|photo|bild|foto/i;

/** Returns a function that makes a record of a row: names its fields, and reads what spreadsheets write instead of values. */
export function createRecordReader(context: Pick<ReadContext, 'warn'>) {
  /** Columns of which a warning has shown how their cells are read. */
  const reported = new Set<string>();

  return (columns: readonly string[], fields: readonly string[], at: string): SourceRecord => {
    const record: SourceRecord = { at, fields: nameFields(columns, fields) };
    return fields.some(mayBeSpecial) ? withCells(record, columns) : record;
  };

  function withCells(record: SourceRecord, columns: readonly string[]): SourceRecord {
    const problems: RecordProblem[] = [];
    for (const field of columns) {
      const text = record.fields[field];
      if (typeof text !== 'string' || !mayBeSpecial(text)) continue;
      const { address, problem, isGuess, ...cell } = readCell(text);
      const value = address !== undefined && LINK_NAME.test(field) ? address : cell.value;
      record.fields[field] = value;
      const shown = `"${text.trim().slice(0, 100)}" in column "${field}"`;
      if (problem !== undefined) problems.push({ field, reason: `${shown} ${problem}` });
      if (isGuess && !reported.has(field)) {
        reported.add(field);
        context.warn({
          at: record.at,
          message: `${describe(cell.value, value, address)} in column "${field}", as in similar cells`,
        });
      }
    }
    return problems.length > 0 ? { ...record, problems } : record;
  }
}

/** Says how a cell is read. Without its value, which may be secret. */
function describe(text: string, value: string, address?: string): string {
  if (address === undefined) return 'Left out the apostrophe before the text';
  return `Read the formula of a link as its ${value === text ? 'text' : 'address'}`;
}

function nameFields(columns: readonly string[], fields: readonly string[]): Record<string, unknown> {
  // Plain assignment is fast, but for a column of this name it would set the prototype.
  if (columns.includes('__proto__')) return Object.fromEntries(columns.map((name, index) => [name, fields[index]]));
  const named: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) named[name] = fields[index];
  return named;
}
