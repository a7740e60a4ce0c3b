import { type Column, countDistinct, shareThat } from '../columns/columns.ts';
import { idScore } from '../columns/ids.ts';
import { datesByValues, datesOf } from '../dates/read-column.ts';
import { hasHtml, imageFit } from '../fields/values.ts';
import type { Guess } from '../proposal.ts';

const LEAST = 0.3;
/** Number of records from which on different titles are not a coincidence. */
const ENOUGH = 8;
/** Score above which the name of a field certainly means an id. */
const SURE = 0.6;
/** Score of log-in names and e-mail addresses: they change more often than an id. */
const NAME = 0.7;
/** What becomes of records with the same key. */
const SHARED_KEY = 'identical ones count as one, others are rejected.';
const rowNumbers = /^(#|no|nr|row|index|zeile|line|num|pos|lfd)/i;

interface Candidate {
  column: Column;
  score: number;
}

/**
 * Chooses the field that identifies a record: every record has it, its values all differ, and they do not change with the record.
 * @param names fields that identify a record although they are not called an id: the user name and e-mail address of a person
 * @param content fields that together identify a record if there is no such field: title, start, location
 */
export function proposeKey(
  columns: readonly Column[],
  { names, content }: { names: readonly Column[]; content: readonly Column[] },
): { key: Guess<string | string[]>; warnings: string[] } {
  const count = columns[0]?.values.length ?? 0;
  const named = columns
    .filter(({ isList, filled }) => !isList && filled > 0 && filled === count)
    .flatMap((column): Candidate[] => {
      const score = Math.max(idScore(column), names.includes(column) ? NAME : 0, likeAddress(column));
      return score > 0 ? [{ column, score: score * stability(column) * uniqueness(column, score) }] : [];
    })
    .filter(({ score }) => score >= LEAST)
    .toSorted((a, b) => b.score - a.score);
  const [best] = named;
  if (best === undefined) return withoutId(content, series(columns, count), count);
  const same = count - countDistinct(best.column);
  const evidence = `${count} of ${count} records have it, ${same === 0 ? 'all different' : `${same} of them one that another has`}${unlikeDates(best.column)}`;
  const warning = `${same} records have a ${best.column.path} that another record has: ${SHARED_KEY}`;
  return { key: { value: best.column.path, evidence }, warnings: same === 0 ? [] : [warning] };
}

/** Returns the evidence that values which look like dates or times are ids. */
function unlikeDates(column: Column): string {
  const dates = datesOf(column) === undefined ? datesByValues(column) : undefined;
  if (dates === undefined) return '';
  return `; it is named as an id, so its values are not read as ${dates.is === 'time' ? 'times' : 'dates'}`;
}

/** Returns a field with an id that several records share, such as the id of a series. */
function series(columns: readonly Column[], count: number): Column | undefined {
  return columns.find(
    (column) =>
      column.filled === count && !column.isList && idScore(column) > 0.9 && countDistinct(column) > count / 20,
  );
}

function withoutId(content: readonly Column[], id: Column | undefined, count: number) {
  const [title, start] = content;
  const isSeries = id !== undefined && start !== undefined && countTogether([id, start]) === count;
  const parts = isSeries ? [id, start] : shortestUnique(content);
  const value = parts.map(({ path }) => path);
  const shown = value.join(' + ');
  const isUnique = countTogether(parts) === count;
  const evidence = isUnique
    ? `no field is an id; ${shown} ${value.length === 1 ? 'differs' : 'differ'} in all ${count} records`
    : `no field is an id, and ${shown} are the same in some records`;
  const more = isUnique ? '' : ` Of records with the same key, ${SHARED_KEY}`;
  const warning = `The feed has no id: the key is ${shown}. If it changes, the item is created again.${more}`;
  return {
    key: { value: value.length === 1 ? (value[0] ?? title?.path ?? '') : value, evidence },
    warnings: [warning],
  };
}

/**
 * Returns the fewest columns whose values together differ in every record; all columns if even these do not. If there are only a
 * few records, their titles may differ by chance. A title alone is preferred, because it stays the key if the event is moved.
 */
function shortestUnique(content: readonly Column[]): readonly Column[] {
  const count = content[0]?.values.length ?? 0;
  const least = count >= ENOUGH ? 1 : 2;
  for (let length = Math.min(least, content.length); length < content.length; length += 1) {
    if (countTogether(content.slice(0, length)) === count) return content.slice(0, length);
  }
  return content;
}

function countTogether(columns: readonly Column[]): number {
  const count = columns[0]?.values.length ?? 0;
  return new Set(
    Array.from({ length: count }, (_, index) => JSON.stringify(columns.map(({ values }) => values[index] ?? ''))),
  ).size;
}

/** How much the name of a field looks like the address of a page. */
function likeAddress(column: Column): number {
  const name = column.names.at(-1) ?? '';
  if (/regist|ticket|booking|signup|video|zoom|stream|facebook|map|image|photo|inscri|anmeld/i.test(name)) return 0;
  const isPlace = /(url|uri|link|href|page|path|pfad|slug|permalink)$/i.test(name);
  return isPlace && imageFit(column) < 1 ? 0.35 : 0;
}

/** How unique the values of a column are. A few records may be in the feed twice. */
function uniqueness(column: Column, score: number): number {
  const share = countDistinct(column) / column.values.length;
  if (share === 1) return 1;
  return share >= 0.98 && score > SURE ? 0.9 : 0;
}

/** Returns 0 for values that may change: row numbers if a row is inserted, dates if an event is moved. */
function stability(column: Column): number {
  const isCounted =
    column.texts.every((text, index) => text === String(index + 1)) ||
    column.texts.every((text, index) => text === String(index));
  if (isCounted && rowNumbers.test(column.names.at(-1) ?? '')) return 0;
  if (shareThat(column, hasHtml) > 0) return 0;
  const dates = datesOf(column);
  return dates !== undefined && !dates.formats.some((format) => format.startsWith('unix') || format === 'yyyyMMdd')
    ? 0
    : 1;
}
