import { addDays, dateAt, isIsoDate } from '../../src/core/dates/iso-date.ts';
import { splitRange } from '../../src/core/dates/ranges.ts';
import { isTimeZone } from '../../src/core/dates/time-zone.ts';
import { parseIso } from '../../src/core/dates/wall-time.ts';
import { formatInstant, namedZone, toInstant } from '../../src/core/dates/zone.ts';
import { type Extensions, textAt } from './extensions.ts';
import { childrenOf, type Element } from './items.ts';
import { readClock, readMoment } from './moments.ts';

interface EventTimes {
  start?: string | undefined;
  end?: string | undefined;
}

/**
 * Reads when an event starts and ends, from the first extension that says so. What cannot be read stays as it is written, so that
 * the record is rejected with it.
 */
export function timesOf(item: Element, extensions: Extensions, published: string | undefined): EventTimes {
  const at = (path: string) => textAt(extensions, path);
  const written = (path: string) => zoned(at(path), tzidOf(item, path.split('.')[1])) ?? at(path);
  if (at('xcal.dtstart')) return withLastDay(written('xcal.dtstart'), written('xcal.dtend'));
  if (at('ev.startdate')) return { start: written('ev.startdate'), end: written('ev.enddate') };
  if (at('mec.startDate')) {
    const end = at('mec.endDate') ?? (at('mec.endHour') && at('mec.startDate'));
    return { start: joined(at('mec.startDate'), at('mec.startHour')), end: joined(end, at('mec.endHour')) };
  }
  if (at('calendarEvent.EventDates')) return ofRanges(at('calendarEvent.EventDates'), at('calendarEvent.EventTimes'));
  // LiveWhale writes the start of an event as the date of its publication.
  if (at('livewhale.ends') ?? at('livewhale.type') === 'events') return ofLiveWhale(extensions, published);
  return {};
}

/** In iCalendar, a day that ends an event is the day after it (RFC 5545, 3.6.1). */
function withLastDay(start = '', end = ''): EventTimes {
  const isDays = isIsoDate(start) && isIsoDate(end) && end > start;
  return { start, end: isDays ? addDays(end, -1) : end || undefined };
}

function ofRanges(dates = '', times = ''): EventTimes {
  const [first, last = first] = splitRange(dates);
  const [from, to] = splitRange(times);
  const isOneDay = last === first && !to;
  return { start: joined(first, from), end: isOneDay ? undefined : joined(last, to) };
}

function ofLiveWhale(extensions: Extensions, published: string | undefined): EventTimes {
  const zone = textAt(extensions, 'livewhale.timezone');
  const isAllDay = /^(1|true|yes)$/i.test(textAt(extensions, 'livewhale.all_day') ?? '');
  const [start, end] = [published, textAt(extensions, 'livewhale.ends')].map((text) => {
    const moment = text && readMoment(text);
    const instant = moment ? Date.parse(moment) : Number.NaN;
    const isDay = isAllDay && zone !== undefined && isTimeZone(zone) && !Number.isNaN(instant);
    return isDay ? dateAt(instant, zone) : (moment ?? text);
  });
  return { start, end };
}

/** Joins a date and a time of day; the date alone if there is none. */
function joined(date: string | undefined, clock: string | undefined): string | undefined {
  const day = date && readMoment(date);
  const time = clock && readClock(clock);
  if (!day || !isIsoDate(day) || (clock && !time)) return [date, clock].filter(Boolean).join(' ') || undefined;
  return time ? `${day}T${time}` : day;
}

function tzidOf(item: Element, name: string | undefined): string | undefined {
  const attributes = Object.entries(childrenOf(item).find((child) => child.name === name)?.attributes ?? {});
  return attributes.find(([key]) => /(^|:)tzid$/i.test(key))?.[1];
}

/** Reads a moment; a wall time is one of the zone that its element names. */
function zoned(text: string | undefined, tzid: string | undefined): string | undefined {
  const moment = text && readMoment(text);
  const wall = moment ? parseIso(moment) : undefined;
  if (!moment || wall === undefined || tzid === undefined || !isTimeZone(tzid)) return moment;
  const zone = namedZone(tzid);
  return formatInstant(toInstant(wall, zone), zone);
}
