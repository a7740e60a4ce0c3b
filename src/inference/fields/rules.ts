import { describeHtmlIn } from '../../mapping/html/count-html.ts';
import { isNullWord } from '../../mapping/words.ts';
import type { Column } from '../columns/columns.ts';
import { shareThat } from '../columns/columns.ts';
import type { DateColumn } from '../dates/date-column.ts';
import type { Guess, ProposedRule } from '../proposal.ts';
import { hasHtml, yesNoOf } from './values.ts';

/** Counts the records that have a value: "120 of 120 records". */
export function coverage({ filled, values }: Column): string {
  return `${filled} of ${values.length} records have it`;
}

/** Options for the rule of a text. */
interface TextOptions {
  /** Whether the site shows the text as HTML. */
  showsHtml?: boolean;
  /** Whether visitors may see texts that mean "no value", such as TBA. */
  showsPlaceholders?: boolean;
  /** Whether capitals mean the same as small letters, as in addresses. */
  isLowerCase?: boolean;
}

/** Proposes the rule of a text: removes HTML if the site shows plain text, and joins the items of a list. */
export function textRule(
  column: Column,
  { showsHtml = false, showsPlaceholders = false, isLowerCase = false }: TextOptions = {},
): Guess<ProposedRule> {
  const isMarked = !showsHtml && shareThat(column, hasHtml) > 0;
  const rule = {
    field: column.path,
    ...emptyWords(showsPlaceholders ? { placeholders: column.placeholders.filter(isNullWord) } : column),
    ...(column.isList && { join: ', ' }),
    ...(isLowerCase && column.texts.some((text) => text !== text.toLowerCase()) && { case: 'lower' as const }),
    ...(isMarked && { html: 'text' as const }),
  };
  const html = showsHtml ? `; ${describeHtmlIn(column.texts)}` : isMarked ? ', some with HTML' : '';
  const evidence = `${coverage(column)}${html}`;
  return { value: Object.keys(rule).length === 1 ? column.path : rule, evidence };
}

function emptyWords({ placeholders }: Pick<Column, 'placeholders'>): { empty?: readonly string[] } {
  return placeholders.length === 0 ? {} : { empty: placeholders };
}

/** Proposes the rule of a yes/no value. */
export function yesNoRule(column: Column): Guess<ProposedRule> {
  const words = yesNoOf(column);
  const named = { ...(words?.true.length && { true: words.true }), ...(words?.false.length && { false: words.false }) };
  const values = [...new Set(column.texts)].slice(0, 4).join(', ');
  const value = Object.keys(named).length === 0 ? column.path : { field: column.path, ...named };
  return { value, evidence: `its values are ${values}` };
}

/** Proposes the rule of a date or time, with a format if the values need one. */
export function dateRule(
  dates: DateColumn,
  origin: ProposedRule = dates.column.path,
  why?: string,
): Guess<ProposedRule> {
  const { formats, language, zone, range } = dates;
  const evidence = describeDates(dates, why);
  const more = { ...emptyWords(dates.column), ...(range && { range }) };
  if (formats.length === 0 && Object.keys(more).length === 0) return { value: origin, evidence };
  const base = { ...(typeof origin === 'string' ? { field: origin } : origin), ...more };
  if (formats.length === 0) return { value: base, evidence };
  const format = formats.length === 1 ? formats[0] : formats;
  return {
    value: { ...base, format, ...(language && { language }), ...(zone === 'named UTC' && { zone: 'UTC' }) },
    evidence,
  };
}

function describeDates({ is, formats, fits, of, orders, deciding }: DateColumn, why?: string): string {
  const things = is === 'time' ? 'times' : 'dates';
  const form = formats.length === 0 ? (is === 'time' ? '' : ' in ISO 8601') : ` in ${formats.join(' or ')}`;
  const order =
    why ??
    (deciding > 0 && [...orders.values()].every(({ length }) => length === 1)
      ? `${deciding} decide the order`
      : undefined);
  return `${fits} of ${of} values are ${things}${form}${order === undefined ? '' : `; ${order}`}`;
}
