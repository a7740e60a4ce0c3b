import nodeIcal, { type EventInstance, type VEvent } from 'node-ical';
import { type Occurrence, occurrence, type Reading } from './reading.ts';

/** The days between which series are read. */
export interface Window {
  from: string;
  to: string;
}

/** In place of a UID: node-ical cannot read the file as a whole. */
const FILE = '(file)';

/** Reads a calendar with node-ical as a whole, or, if that throws, the events of each UID alone. */
export function readWithNodeIcal(text: string, window: Window): Reading {
  return inUtc(() => {
    try {
      return readCalendar(text, window);
    } catch (error) {
      return new Map([
        [FILE, [String(error)]],
        ...calendarsByUid(text).flatMap(([uid, part]) => [...readPart(uid, part, window)]),
      ]);
    }
  });
}

function readPart(uid: string, text: string, window: Window): Reading {
  try {
    return readCalendar(text, window);
  } catch (error) {
    return new Map([[uid, [String(error)]]]);
  }
}

function readCalendar(text: string, { from, to }: Window): Reading {
  const range = { from: new Date(from), to: new Date(`${to}T23:59:59Z`) };
  const events = Object.values(nodeIcal.parseICS(text)).filter(
    (component): component is VEvent => component?.type === 'VEVENT',
  );
  return new Map(
    events.map((event) => [textOf(event.uid), nodeIcal.expandRecurringEvent(event, range).map(occurrenceOf)]),
  );
}

function occurrenceOf({ start, end, isFullDay, summary, event }: EventInstance): Occurrence {
  const title = `${textOf(summary)}${event.status === 'CANCELLED' ? ' (cancelled)' : ''}`;
  // The day after the last is the end of whole days.
  const last = new Date(end.getTime() - 1);
  return isFullDay
    ? occurrence(dayOf(start), dayOf(last), title)
    : occurrence(start.toISOString(), end.toISOString(), title);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** A property with parameters is an object. */
function textOf(value: unknown): string {
  return String(typeof value === 'object' && value !== null && 'val' in value ? value.val : (value ?? ''));
}

/**
 * Splits a calendar, without the parser of the connector, into one for the events of each UID. All have its zones, and lines that end
 * as node-ical expects.
 */
function calendarsByUid(calendar: string): Array<[uid: string, calendar: string]> {
  const text = calendar.replace(/\r+\n/g, '\r\n');
  const events = text.match(/^BEGIN:VEVENT\r?\n.*?^END:VEVENT\r?\n/gims) ?? [];
  const [head = ''] = text.split(/^BEGIN:VEVENT/im);
  const groups = Map.groupBy(events, (event) => /^UID[^:]*:(.*?)\r?$/im.exec(event)?.[1] ?? '');
  return [...groups].map(([uid, group]) => [uid, `${head}${group.join('')}END:VCALENDAR\r\n`]);
}

/** To node-ical, times without a zone, and days, are those of this machine. */
function inUtc<Result>(read: () => Result): Result {
  const host = process.env.TZ;
  process.env.TZ = 'UTC';
  try {
    return read();
  } finally {
    if (host === undefined) delete process.env.TZ;
    else process.env.TZ = host;
  }
}
