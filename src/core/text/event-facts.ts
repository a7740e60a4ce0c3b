import { htmlText } from '../html/html-text.ts';
import { oneLine, placeOf, startOf } from './record-title.ts';

/** What tells two events apart for people. What an event lacks is absent. */
export interface EventFacts {
  title?: string;
  /** ISO dates; the last day only if it is another one. */
  day?: string;
  lastDay?: string;
  /** HH:MM; absent: all day. */
  start?: string;
  end?: string;
  place?: string;
  /** Its beginning, without HTML. */
  description?: string;
}

const LONGEST_DESCRIPTION = 300;

/** Returns what people compare of an event. */
export function eventFacts(attributes: Readonly<Record<string, unknown>>): EventFacts {
  const [day, lastDay] = [dayOf(attributes.date), dayOf(attributes.endDate)];
  const start = startOf(attributes.time);
  const end = oneLine(((attributes.time ?? {}) as { end?: unknown }).end).slice(0, 5);
  // The API has no event without an end: one that has only a start ends when it starts.
  const hasEnd = start !== '' && (end !== start || lastDay !== day);
  const facts = {
    title: oneLine(attributes.title),
    day,
    lastDay: lastDay === day ? '' : lastDay,
    start,
    end: hasEnd ? end : '',
    place: placeOf(attributes),
    description: beginningOf(attributes.description),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== ''));
}

function dayOf(date: unknown): string {
  return oneLine(date).slice(0, 10);
}

function beginningOf(description: unknown): string {
  const text = oneLine(typeof description === 'string' ? htmlText(description) : '');
  return text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION).trimEnd()}…` : text;
}
