import type { Column } from '../columns.ts';
import type { Answers, Question } from '../proposal.ts';
import { type DateColumn, decideOrder } from './date-column.ts';
import { type Ends, orderOf } from './date-order.ts';

/** Dates of which the order of day and month is decided, or open with a question. */
export interface SettledDates {
  dates: DateColumn;
  /** What decides the order, if it is not the column itself. */
  why?: string;
  question?: Question;
}

/** Settles the order of day and month in a column: by other data, by the answer, or by a question. */
export function settleOrder(dates: DateColumn, columns: readonly Column[], ends: Ends, answers: Answers): SettledDates {
  if (dates.orders.length < 2) return { dates };
  const decided = orderOf(dates, columns, ends);
  if (decided !== undefined) return { dates: decideOrder(dates, decided.order), why: decided.evidence };
  const question = orderQuestion(dates);
  const given = answers[question.id];
  const order = dates.orders.find((one) => one === given);
  if (order !== undefined) return { dates: decideOrder(dates, order), why: 'the order is as you said' };
  return given === undefined ? { dates, question } : { dates };
}

function orderQuestion({ column, orders, formats }: DateColumn): Question {
  const sample = column.texts.find((text) => /\d/.test(text)) ?? '';
  const formatOf = (order: string) => formats.find((format) => orderIn(format) === order) ?? order;
  return {
    id: 'order of dates',
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

function orderIn(format: string): string | undefined {
  const [first] = /[dMy]/.exec(format.replace(/'[^']*'/g, '')) ?? [];
  return first === 'd' ? 'day first' : first === 'M' ? 'month first' : first === 'y' ? 'year first' : undefined;
}
