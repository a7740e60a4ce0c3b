import type { Dialect, Row } from './assemble-rows.ts';

type Quoting = Pick<Dialect, 'delimiter' | 'quote'>;

/** Splits each row, whose quotes are well-formed, into its fields. Yields rows one by one, to hold little memory. */
export function* splitFields(rows: readonly Row[], dialect: Quoting): Generator<{ row: Row; fields: string[] }> {
  for (const row of rows) yield { row, fields: fieldsOf(row, dialect) };
}

function fieldsOf({ text, problem }: Row, { delimiter, quote }: Quoting): string[] {
  if (quote === undefined || problem !== undefined || !text.includes(quote)) return text.split(delimiter);
  const fields: string[] = [];
  // A delimiter at the end has an empty field after it.
  for (let at = 0; at <= text.length; ) {
    const isQuoted = text[at] === quote;
    const end = isQuoted ? findClosing(text, quote, at + 1) : text.indexOf(delimiter, at);
    if (isQuoted) fields.push(text.slice(at + 1, end).replaceAll(quote + quote, quote));
    else fields.push(text.slice(at, end === -1 ? undefined : end));
    if (end === -1) break;
    at = end + delimiter.length + (isQuoted ? 1 : 0);
  }
  return fields;
}

/** Finds the quote that ends a field: the first one that is not doubled. */
function findClosing(text: string, quote: string, from: number): number {
  let at = text.indexOf(quote, from);
  while (at !== -1 && text[at + 1] === quote) at = text.indexOf(quote, at + 2);
  return at;
}
