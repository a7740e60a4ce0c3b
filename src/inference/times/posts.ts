import type { Column } from '../columns/columns.ts';
import { wordsOf } from '../columns/names.ts';
import { datesOf } from '../dates/read-column.ts';
import { daysBetween } from '../dates/whole-days.ts';

/** Names that only the posts of a CMS or blog have, without blanks and signs. */
const surely =
  /^(dategmt|modifiedgmt|pubdate|dcdate|post(date|status|type|modified)|(comment|ping)status|guidrendered)/;
/** Names that posts have, and other records too, by what they say. */
const likely = [
  /^(author|creator|byline|dccreator|writtenby)/,
  /^(excerpt|contentsnippet)/,
  /^guid/,
  /^comments?(count)?$/,
];
/** Names of the last change. */
const changed = /^(modified|updated?|changed|lastmod|lastupdated?|datemodified|dateupdated)/;
/** Names of days that do not say what happens on them. */
const bare =
  /^(?:dc|post|iso|entry)?(?:date|datum|fecha|data|dato|day|datetime|timestamp|published|time)(?:gmt|utc|local|str)?$/;
/** What only events have. */
const ofEvents = /venue|location|place|address|room|ort$|lieu|lugar|^(?:start|begin|end|doors)/;

/**
 * Returns the columns with the day on which a post was written: in an export of WordPress, Drupal or a blog, `date` is never the start
 * of an event.
 */
export function writtenDates(columns: readonly Column[]): ReadonlySet<Column> {
  const named = columns.map((column) => ({ column, name: column.names.flatMap(wordsOf).join('') }));
  const dated = named.filter(({ column, name }) => column.names.length === 1 && bare.test(name) && datesOf(column));
  const has = (pattern: RegExp) => named.some(({ name }) => pattern.test(name));
  if (dated.length === 0) return new Set();
  const last = named.find(({ name }) => changed.test(name))?.column;
  const isPost = (column: Column) =>
    has(surely) || (!has(ofEvents) && likely.filter(has).length + Number(has(/^slug$/) && isBefore(column, last)) >= 2);
  return new Set(dated.flatMap(({ column }) => (isPost(column) ? [column] : [])));
}

/** Whether the dates of a column are never after those of another: events are rarely changed when they are over. */
function isBefore(column: Column, last: Column | undefined): boolean {
  const [first, second] = [datesOf(column), last && datesOf(last)];
  if (!first || !second) return false;
  const days = daysBetween(first, second);
  return days.length > 0 && days.every((one) => one >= 0);
}
