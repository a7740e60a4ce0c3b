import type { App } from '../../app/app.ts';
import { isIsoDate } from '../../core/dates/iso-date.ts';
import { DAY, toIsoDay } from '../../core/dates/wall-time.ts';
import { CodedError } from '../../core/errors.ts';
import type { Json } from '../../core/record.ts';
import type { DeliveredEvent } from '../../ledger/records/event-days.ts';
import { configuredSync } from '../answers/configured-sync.ts';

/** Limit for the events of one day: people cannot survey more, and the query stays small. */
const MOST_A_DAY = 40;

/** The delivered events of one month, in the site's wall time. */
export type CalendarView = Awaited<ReturnType<ReturnType<typeof createCalendar>['calendar']>>;

export interface ShownEvent {
  sync: string;
  key: string;
  title: string;
  date: string;
  /** Last day of an event that lasts several days. */
  endDate?: string;
  /** Start, such as 19:00; absent for an all-day event. */
  start?: string;
  end?: string;
  /** Whether a rule repeats the event; only the occurrences of this month are listed. */
  repeats: boolean;
  cmsId?: number | undefined;
  /** Whether another event has the same title and time. */
  doubled: boolean;
}

/** Creates the query for the delivered events of a month. */
export function createCalendar(app: () => Pick<App, 'config' | 'ledger'>) {
  return { calendar };

  async function calendar(month: string, sync?: string) {
    const { config, ledger } = app();
    const days = daysOf(month);
    const asked = { days, limit: MOST_A_DAY, sync };
    const { events, isCut } = await ledger.records.eventsOn(asked);
    // Only a sync without events is looked up in the config: an orphan has events but no file.
    if (sync !== undefined && events.length === 0) configuredSync(sync, config);
    const shown = events.flatMap((event) => toShown(event) ?? []).filter((event) => isWithin(event, days));
    return {
      month,
      timezone: config.target.timezone,
      /** Names of the syncs with events in the month, in the order of their colours. */
      syncs: [...new Set(shown.map((event) => event.sync))].sort(),
      events: markDoubled(shown).sort(byTime),
      /** Whether there are more events than are listed. */
      isCut,
    };
  }
}

/** @throws CodedError FF_HTTP_REQUEST for a text that is not a month */
function daysOf(month: string): [string, ...string[]] {
  const first = `${month}-01`;
  if (!isIsoDate(first)) throw new CodedError('FF_HTTP_REQUEST', `"${month}" is not a month, such as 2027-03.`);
  const days: [string, ...string[]] = [first];
  for (let wall = Date.parse(first) + DAY; toIsoDay(wall).startsWith(month); wall += DAY) days.push(toIsoDay(wall));
  return days;
}

/** Dates and times in the CMS are wall time of the site. Returns undefined for an item without a date. */
function toShown({ sync, key, cmsId, delivered }: DeliveredEvent): ShownEvent | undefined {
  const { title, date, endDate, repeats } = delivered;
  if (!isDay(date)) return undefined;
  return {
    ...{ sync, key, cmsId, date },
    title: typeof title === 'string' ? title : key,
    ...(isDay(endDate) && endDate > date && { endDate }),
    ...hoursOf(delivered.time),
    repeats: repeats === true,
    doubled: false,
  };
}

/** Events of whole days are delivered from midnight to the last second. */
function hoursOf(time: Json | undefined): Pick<ShownEvent, 'start' | 'end'> {
  if (typeof time !== 'object' || time === null || Array.isArray(time)) return {};
  const { start, end } = time;
  if (!isTime(start) || (start === '00:00:00' && end === '23:59:59')) return {};
  return { start: start.slice(0, 5), ...(isTime(end) && end !== start && { end: end.slice(0, 5) }) };
}

function isDay(value: Json | undefined): value is string {
  return typeof value === 'string' && isIsoDate(value);
}

function isTime(value: Json | undefined): value is string {
  return typeof value === 'string' && /^\d\d:\d\d/.test(value);
}

function isWithin({ date, endDate = date }: ShownEvent, days: readonly string[]): boolean {
  return date <= (days.at(-1) ?? '') && endDate >= (days[0] ?? '');
}

function markDoubled(events: readonly ShownEvent[]): ShownEvent[] {
  const same = Map.groupBy(events, ({ title, date, endDate, start, end }) => {
    return JSON.stringify([title.trim().toLowerCase(), date, endDate, start, end]);
  });
  return [...same.values()].flatMap((group) => group.map((event) => ({ ...event, doubled: group.length > 1 })));
}

/** Compares events by their days and times; all-day events come first. */
function byTime(one: ShownEvent, other: ShownEvent): number {
  const [first, second] = [one, other].map(({ date, start = '', title, sync, key }) => {
    return [date, start, title, sync, key].join('\0');
  }) as [string, string];
  return first < second ? -1 : 1;
}
