import { addDays } from '../../core/dates/iso-date.ts';

/** A record of a reading that is on one day. */
export interface OneDay {
  key: string;
  /** ISO date */
  date: string;
  /** Equal for records that differ only in key and day. */
  like: string;
}

/** Records that are the days of one event, in order. */
export interface DaySpan<Day> {
  key: string;
  days: readonly [Day, ...Day[]];
}

/** Fewer days are events of their own, and so many weekdays in a row, each week, are a pattern: an event on every Tuesday is not. */
const FEWEST = 3;
const WEEK = 7;
/** One day in so many may be an exception of the pattern: a holiday, or one that was cancelled. */
const EXCEPTIONS = 10;

/**
 * Finds the days that are one event, as pure data: equal but for key and day, every day or on the same days of each week. All others
 * stay events of their own.
 * @param known key of a record → key of the event that has had it as a day: that event stays the same, whatever days it gains or loses
 */
export function foldDays<Day extends OneDay>(
  days: readonly Day[],
  known: ReadonlyMap<string, string> = new Map(),
): Array<DaySpan<Day>> {
  const groups = Map.groupBy(days, ({ like }) => like).values();
  const runs = [...groups].flatMap((group) => splitAfterGaps(group.toSorted(byDate), WEEK));
  const owners = ownersOf(runs, known);
  const taken = new Set(known.values());
  return runs.flatMap((run) => {
    const owner = owners.get(run);
    const { kept, others } = owner === undefined ? { kept: [], others: run } : around(run, owner, known);
    return [...toSpan(owner, kept), ...newRuns(others).flatMap((own) => toSpan(newKey(own, taken), own))];
  });
}

/** Returns the events that runs of days continue: those that have at least half of the days that the reading has of the event. */
function ownersOf(runs: ReadonlyArray<readonly OneDay[]>, known: ReadonlyMap<string, string>) {
  const shares = runs.flatMap((run) => {
    const own = Map.groupBy(run, ({ key }) => known.get(key));
    return [...own].flatMap(([span, { length }]) => (span === undefined ? [] : [{ run, span, length }]));
  });
  const totals = new Map<string, number>();
  for (const { span, length } of shares) totals.set(span, (totals.get(span) ?? 0) + length);
  const owners = new Map<readonly OneDay[], string>();
  const taken = new Set<string>();
  for (const { run, span, length } of shares.toSorted((one, other) => other.length - one.length)) {
    if (owners.has(run) || taken.has(span) || 2 * length < (totals.get(span) ?? 0)) continue;
    owners.set(run, span);
    taken.add(span);
  }
  return owners;
}

/** What is beyond the days of a known event, and not in its pattern, is decided about for itself. */
function around<Day extends OneDay>(run: readonly Day[], key: string, known: ReadonlyMap<string, string>) {
  if (isPattern(run)) return { kept: run, others: [] };
  const isOwn = (day: Day) => known.get(day.key) === key;
  const parts = splitAfterGaps(run, 1);
  const [first, last] = [parts.findIndex((part) => part.some(isOwn)), parts.findLastIndex((part) => part.some(isOwn))];
  const kept = parts.slice(first, last + 1).flat();
  return { kept, others: run.filter((day) => !kept.includes(day)) };
}

/** Without a pattern, days in a row are an event, too. */
function newRuns<Day extends OneDay>(run: readonly Day[]): Array<readonly Day[]> {
  return isPattern(run) ? [run] : splitAfterGaps(run, 1).filter(isPattern);
}

function newKey(run: readonly OneDay[], taken: ReadonlySet<string>): string | undefined {
  return run.map(({ key }) => `span/${key}`).find((key) => !taken.has(key));
}

function toSpan<Day>(key: string | undefined, [first, ...others]: readonly Day[]): Array<DaySpan<Day>> {
  return key !== undefined && first ? [{ key, days: [first, ...others] }] : [];
}

function isPattern(run: readonly OneDay[]): boolean {
  const dates = new Set(run.map(({ date }) => date));
  const all = daysBetween(run[0]?.date, run.at(-1)?.date);
  if (dates.size < FEWEST || dates.size === all.length) return dates.size >= FEWEST;
  if (all.length <= WEEK) return false;
  const weekdays = Map.groupBy(all, weekdayOf);
  const isOpen = (weekday: number) => {
    const each = weekdays.get(weekday % WEEK) ?? [];
    return each.length > 0 && 2 * each.filter((date) => dates.has(date)).length >= each.length;
  };
  const inARow = Array.from({ length: FEWEST }, (_, index) => index);
  if (![...weekdays.keys()].some((weekday) => inARow.every((more) => isOpen(weekday + more)))) return false;
  const exceptions = all.filter((date) => isOpen(weekdayOf(date)) !== dates.has(date)).length;
  return exceptions <= Math.max(1, dates.size / EXCEPTIONS);
}

/** Splits days in order where more than so many days lie between two of them. */
function splitAfterGaps<Day extends OneDay>(days: readonly Day[], longest: number): Day[][] {
  const parts: Day[][] = [];
  let before: string | undefined;
  for (const day of days) {
    const part = parts.at(-1);
    if (part && before !== undefined && day.date <= addDays(before, longest)) part.push(day);
    else parts.push([day]);
    before = day.date;
  }
  return parts;
}

function daysBetween(first = '', last = ''): string[] {
  const days: string[] = [];
  for (let date = first; date !== '' && date <= last; date = addDays(date, 1)) days.push(date);
  return days;
}

/** 0 is Sunday. */
function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

function byDate(one: OneDay, other: OneDay): number {
  return one.date < other.date ? -1 : Number(one.date > other.date) || (one.key < other.key ? -1 : 1);
}
