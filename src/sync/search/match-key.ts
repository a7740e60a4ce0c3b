import type { Json } from '../../core/record.ts';
import { isEmpty, valueAt } from '../items/values.ts';

/**
 * The values that identify a record or an item, regardless of case, blanks and Unicode form; undefined if one of the
 * attributes is empty.
 */
export function matchKey(attributes: readonly string[], item: Readonly<Record<string, unknown>>): string | undefined {
  const values = attributes.map((attribute) => valueAt(item, attribute));
  return values.some(isEmpty) ? undefined : JSON.stringify(values.map(folded));
}

function folded(value: Json): Json {
  if (typeof value !== 'string') return value;
  const text = value.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();
  return /^\d\d:\d\d$/.test(text) ? `${text}:00` : text;
}
