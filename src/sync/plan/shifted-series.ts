import { Temporal } from 'temporal-polyfill';
import type { Payload } from '../../core/record.ts';

/** The largest shift that new rules of a time zone cause in a part of a series. */
const ZONE_SHIFT_MS = 3 * 3_600_000;

/** The key of an occurrence: UID, "/" and RECURRENCE-ID, as the calendar connector writes it. */
const OCCURRENCE = /^(?<uid>.*)\/(?<day>\d{8})(?:T(?<time>\d{6})(?<utc>Z?))?$/is;

interface Keyed {
  key: string;
  payload: Payload;
}

/** An occurrence with its RECURRENCE-ID: in ms, as written and by the clock of the site. */
interface Occurrence<Item> {
  item: Item;
  written: number;
  onSite: number;
}

type Pair<Gone, Fresh> = [Occurrence<Gone>, Occurrence<Fresh>];

/**
 * Matches the occurrences of series whose times have shifted: no occurrence is left at its RECURRENCE-ID, and as many are at
 * others, all by one amount earlier or later. If some are left, the amount is at most three hours. Of several possible
 * amounts, the smallest counts. Only past occurrences may have no new occurrence; fewer than half of the new ones, which the
 * window has reached since, may have no old one.
 * @param series.keysKept reads the keys of the records that the feed still has; called only if these keys matter
 * @param series.today ISO date of the site, whose zone is `timezone`
 */
export async function matchShiftedSeries<Gone extends Keyed, Fresh extends Keyed>(
  gone: readonly Gone[],
  fresh: readonly Fresh[],
  { keysKept, today, timezone }: { keysKept: () => Promise<readonly string[]>; today: string; timezone: string },
): Promise<Array<[Gone, Fresh]>> {
  const goneBySeries = Map.groupBy(gone, ({ key }) => seriesOf(key));
  const shifts = [...Map.groupBy(fresh, ({ key }) => seriesOf(key))].flatMap(([series, news]) => {
    const olds = goneBySeries.get(series);
    if (series === undefined || !olds) return [];
    return [{ series, pairs: shiftOf(inOrder(olds, timezone), inOrder(news, timezone), today) }];
  });
  const isLarge = ({ pairs }: (typeof shifts)[number]) => sizeOf(pairs) > ZONE_SHIFT_MS;
  const kept = new Set(shifts.some(isLarge) ? (await keysKept()).map(seriesOf) : []);
  return shifts
    .filter((shift) => !(isLarge(shift) && kept.has(shift.series)))
    .flatMap(({ pairs }) => pairs.map(([old, found]): [Gone, Fresh] => [old.item, found.item]));
}

/** UID and form of RECURRENCE-ID; undefined if the key does not belong to an occurrence. */
function seriesOf(key: string): string | undefined {
  const { uid, time, utc } = OCCURRENCE.exec(key)?.groups ?? {};
  if (uid === undefined) return undefined;
  return `${time === undefined ? 'day' : utc || 'floating'} ${uid}`;
}

function inOrder<Item extends Keyed>(items: readonly Item[], timezone: string): Array<Occurrence<Item>> {
  return items.flatMap((item) => toOccurrence(item, timezone) ?? []).sort((one, other) => one.written - other.written);
}

function toOccurrence<Item extends Keyed>(item: Item, timezone: string): Occurrence<Item> | undefined {
  const { day, time = '000000', utc } = OCCURRENCE.exec(item.key)?.groups ?? {};
  try {
    const written = Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime('UTC');
    const onSite = utc ? written.withTimeZone(timezone).toPlainDateTime().toZonedDateTime('UTC') : written;
    return { item, written: written.epochMilliseconds, onSite: onSite.epochMilliseconds };
  } catch {
    // The digits are not a date: the key has this form by chance.
    return undefined;
  }
}

/** The pairs of the smallest shift that explains all new occurrences; empty if there is no such shift, or two of one size. */
function shiftOf<Gone extends Keyed, Fresh>(
  olds: ReadonlyArray<Occurrence<Gone>>,
  news: ReadonlyArray<Occurrence<Fresh>>,
  today: string,
): Array<Pair<Gone, Fresh>> {
  const [first] = news;
  if (!first) return [];
  const later = olds.findIndex(({ written }) => written > first.written);
  const nearest = later === -1 ? [olds.length - 1] : [later - 1, later];
  const shifts = nearest
    .filter((index) => index >= 0 && olds.slice(0, index).every(({ item }) => isOver(item, today)))
    .map((index) => pairUp(olds.slice(index), news))
    .filter(isOneShift)
    .sort((one, other) => sizeOf(one) - sizeOf(other));
  const [smallest = [], next] = shifts;
  return next && sizeOf(next) === sizeOf(smallest) ? [] : smallest;
}

function pairUp<Gone, Fresh>(
  olds: ReadonlyArray<Occurrence<Gone>>,
  news: ReadonlyArray<Occurrence<Fresh>>,
): Array<Pair<Gone, Fresh>> {
  if (olds.length > news.length || olds.length <= news.length - olds.length) return [];
  return olds.flatMap((old, index): Array<Pair<Gone, Fresh>> => {
    const found = news[index];
    return found ? [[old, found]] : [];
  });
}

/** Whether one amount shifts all pairs, by the site's clock or in the calendar's time: clocks change between occurrences. */
function isOneShift<Gone, Fresh>(pairs: ReadonlyArray<Pair<Gone, Fresh>>): boolean {
  const shifts = (time: 'written' | 'onSite') => new Set(pairs.map(([old, found]) => found[time] - old[time]));
  return shifts('written').size === 1 || shifts('onSite').size === 1;
}

function sizeOf<Gone, Fresh>([first]: ReadonlyArray<Pair<Gone, Fresh>>): number {
  return first ? Math.abs(first[1].onSite - first[0].onSite) : 0;
}

function isOver({ payload: { date, endDate } }: Keyed, today: string): boolean {
  const last = endDate ?? date;
  return typeof last === 'string' && last < today;
}
