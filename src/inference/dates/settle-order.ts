import type { DateOrder } from '../../core/dates/written-forms.ts';
import type { Answers, Question } from '../proposal.ts';
import type { DateColumn } from './date-column.ts';
import { decideOrder } from './read-column.ts';

/** Dates with a decided order of day and month, or with a question about the order. */
export interface SettledDates {
  dates: DateColumn;
  /** Evidence for the order, if a person has decided it. */
  why?: string;
  question?: Question;
}

const QUESTION = 'order of dates';

/**
 * Decides the order of day and month in a column that does not decide it by itself, by the answer of a person; without one, adds a
 * question. What is usual in a country, or in another column, proves nothing.
 */
export function settleOrder(given: DateColumn, answers: Answers): SettledDates {
  let settled: SettledDates = { dates: given };
  for (const [separator, orders] of given.orders) {
    if (orders.length < 2) continue;
    const answer = orders.find((one) => one === answers[QUESTION]);
    if (answer !== undefined) {
      settled = { ...settled, dates: decideOrder(settled.dates, separator, answer), why: 'the order is as you said' };
    } else if (answers[QUESTION] === undefined) {
      settled = { ...settled, question: questionOf(settled.dates, separator, orders) };
    }
  }
  return settled;
}

function questionOf({ column, formats }: DateColumn, separator: string, orders: readonly DateOrder[]): Question {
  const sample = column.texts.find((text) => /\d/.test(text) && text.includes(separator)) ?? '';
  const formatOf = (order: DateOrder) =>
    formats.find((format) => format.includes(separator) && orderIn(format) === order) ?? order;
  return {
    id: QUESTION,
    line: 'start',
    text: `Which number of "${sample}" (${column.path}) is the day? No value of the feed decides it.`,
    choices: [
      ...orders.map((order) => ({ value: order, label: `${order}: ${formatOf(order)}` })),
      { value: 'both', label: 'unknown: reject every date that can be read as two days' },
    ],
    safe: 'both',
    comment:
      'No value of the feed decides whether day or month comes first. Until you keep only the right format, dates that can be read as two days are rejected.',
  };
}

function orderIn(format: string): DateOrder | undefined {
  const [first] = /[dMy]/.exec(format.replace(/'[^']*'/g, '')) ?? [];
  return first === 'd' ? 'day first' : first === 'M' ? 'month first' : first === 'y' ? 'year first' : undefined;
}
