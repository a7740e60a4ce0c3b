import type { SQLInputValue } from 'node:sqlite';

/** Conditions and order of the items in a list. */
export interface ItemQuery {
  instance: string;
  attributes: Array<{ attribute: string; value: string }>;
  /** Lower-cased words that must all occur. */
  words: string[];
  /** ISO dates; which of an event's days they are compared with. */
  startDate?: string;
  endDate?: string;
  dateFilter: 'overlaps' | 'starts';
  sort: Array<{ attribute: string; descending: boolean }>;
  limit: number;
  /** Number of the page, from 1. */
  page: number;
}

/** Attribute names that may be written into SQL: layout keys, dotted for parts of one. */
export const attributeName = /^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,3}$/;

/** The SQL expression of an attribute's value. The checked name becomes part of the SQL, so that indexes apply. */
export function sqlValueOf(attribute: string): string {
  if (!attributeName.test(attribute)) throw new Error(`Not an attribute name: ${attribute}`);
  if (attribute === 'id') return 'id';
  const path = attribute.split('.').map((key) => `."${key}"`);
  return `json_extract(data, '$${path.join('')}')`;
}

/** SQL and the values of its parameters. */
type SqlTerm = [sql: string, ...values: SQLInputValue[]];

/** The WHERE clause of a query and its values. */
export function conditions(
  query: ItemQuery,
  sqlOf: (attribute: string) => string,
): { where: string; values: SQLInputValue[] } {
  const terms: SqlTerm[] = [['instance = ?', query.instance]];
  const lastDay = query.dateFilter === 'overlaps' ? 'last_day' : 'first_day';
  if (query.startDate !== undefined) terms.push([`${lastDay} >= ?`, query.startDate]);
  if (query.endDate !== undefined) terms.push(['first_day <= ?', query.endDate]);
  for (const { attribute, value } of query.attributes) {
    const candidates = sqlValues(value);
    terms.push([`${sqlOf(attribute)} IN (${candidates.map(() => '?').join(', ')})`, ...candidates]);
  }
  for (const word of query.words) terms.push(['instr(search_text, ?) > 0', word]);
  return { where: terms.map(([sql]) => sql).join(' AND '), values: terms.flatMap(([, ...values]) => values) };
}

/** The ORDER BY terms of a query; ids last, so that pages never overlap. */
export function orderBy({ sort }: ItemQuery): string {
  const terms = sort.map(
    ({ attribute, descending }) => `${sqlValueOf(attribute)} COLLATE NOCASE ${descending ? 'DESC' : 'ASC'}`,
  );
  return [...terms, 'id'].join(', ');
}

/** The values for which a text in a query string may stand: the text itself, a number, a truth value. */
function sqlValues(text: string): SQLInputValue[] {
  if (text === 'true' || text === 'false') return [text, text === 'true' ? 1 : 0];
  if (text !== '' && Number.isFinite(Number(text)) && String(Number(text)) === text) return [text, Number(text)];
  return [text];
}
