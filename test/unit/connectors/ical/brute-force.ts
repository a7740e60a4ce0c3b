import { Temporal } from 'temporal-polyfill';

// A second evaluator of recurrence rules (RFC 5545, 3.3.10), as plain as possible: it looks at every day from DTSTART on, asks
// each part of the table whether it allows that day, and collects the days of each year, month, week or day of the rule.

const names = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The wall times, in ms as if in UTC, of a rule without UNTIL; FREQ is DAILY or longer. `end` is exclusive. */
export function bruteForce(text: string, dtstart: string, end: string): number[] {
  const rule = new Map(text.split(';').map((part) => part.split('=') as [string, string]));
  const start = Temporal.PlainDateTime.from(dtstart);
  const numbers = (name: string) => rule.get(name)?.split(',').map(Number);
  const freq = rule.get('FREQ') ?? '';
  const interval = Number(rule.get('INTERVAL') ?? 1);
  const byDay = withDefault(rule.get('BYDAY')?.split(','), freq, rule, start);
  const inWeekYears = freq === 'YEARLY' && rule.has('BYWEEKNO');

  const matches = (day: Temporal.PlainDate): boolean => {
    const months = numbers('BYMONTH');
    if (months && !months.includes(day.month)) return false;
    if (rule.has('BYWEEKNO')) {
      const { week, weeks } = weekOf(day, rule);
      if (!counts(numbers('BYWEEKNO'), week, weeks)) return false;
    }
    if (rule.has('BYYEARDAY') && !counts(numbers('BYYEARDAY'), day.dayOfYear, day.daysInYear)) return false;
    if (rule.has('BYMONTHDAY') && !counts(numbers('BYMONTHDAY'), day.day, day.daysInMonth)) return false;
    if (byDay && !byDay.some((item) => matchesWeekday(day, item))) return false;
    if (rule.has('BYDAY') || rule.has('BYMONTHDAY') || rule.has('BYYEARDAY') || rule.has('BYWEEKNO')) return true;
    if (freq === 'MONTHLY') return day.day === start.day;
    if (freq === 'YEARLY') return day.day === start.day && (months !== undefined || day.month === start.month);
    return true;
  };

  function matchesWeekday(day: Temporal.PlainDate, item: string): boolean {
    if (names[day.dayOfWeek - 1] !== item.slice(-2)) return false;
    const nth = Number(item.slice(0, -2));
    if (nth === 0 || inWeekYears || (freq !== 'MONTHLY' && freq !== 'YEARLY')) return true;
    const inMonth = freq === 'MONTHLY' || rule.has('BYMONTH');
    const [place, length] = inMonth ? [day.day, day.daysInMonth] : [day.dayOfYear, day.daysInYear];
    return nth > 0 ? Math.ceil(place / 7) === nth : Math.ceil((length - place + 1) / 7) === -nth;
  }

  const firstDay = start.toPlainDate();
  const periodOf = (day: Temporal.PlainDate): number => {
    if (inWeekYears) return weekOf(day, rule).year;
    if (freq === 'YEARLY') return day.year;
    if (freq === 'MONTHLY') return day.year * 12 + day.month;
    const since = firstDay.until(freq === 'WEEKLY' ? startOfWeek(day, rule) : day).days;
    return freq === 'WEEKLY' ? Math.round((since + firstDay.since(startOfWeek(firstDay, rule)).days) / 7) : since;
  };
  // INTERVAL counts the years of weeks from the one of DTSTART only if DTSTART is a date of the rule.
  const phase = inWeekYears && !matches(firstDay) ? firstDay.year : periodOf(firstDay);

  const periods = new Map<number, number[]>();
  // A set begins at the beginning of its period, which may be before DTSTART.
  const last = Temporal.PlainDate.from(end).add({ days: 400 });
  for (
    let day = firstDay.subtract({ days: 400 });
    Temporal.PlainDate.compare(day, last) < 0;
    day = day.add({ days: 1 })
  ) {
    if (!matches(day)) continue;
    const period = periodOf(day);
    if ((period - phase) % interval !== 0) continue;
    const times = timesOf(numbers, start).map((time) => Date.parse(`${day}T${time}Z`));
    periods.set(period, [...(periods.get(period) ?? []), ...times]);
  }
  const positions = numbers('BYSETPOS');
  const chosen = [...periods.values()].flatMap((times) =>
    positions ? times.filter((_, index) => counts(positions, index + 1, times.length)) : times,
  );
  const from = Date.parse(`${start}Z`);
  const valid = chosen.filter((time) => time >= from).sort((a, b) => a - b);
  return valid.slice(0, numbers('COUNT')?.[0]).filter((time) => time < Date.parse(`${end}T00:00:00Z`));
}

/** Without any other part for days, a weekly rule, and a yearly one with weeks, have the weekday of DTSTART. */
function withDefault(
  byDay: string[] | undefined,
  freq: string,
  rule: Map<string, string>,
  start: Temporal.PlainDateTime,
) {
  if (byDay || rule.has('BYMONTHDAY') || rule.has('BYYEARDAY')) return byDay;
  const isDefault = rule.has('BYWEEKNO') ? freq === 'YEARLY' : freq === 'WEEKLY';
  return isDefault ? [names[start.dayOfWeek - 1] ?? ''] : undefined;
}

/** True if a list has a place, counted from the start or from the end. */
function counts(list: number[] | undefined, place: number, length: number): boolean {
  return list?.some((number) => number === place || number === place - length - 1) ?? false;
}

function startOfWeek(day: Temporal.PlainDate, rule: Map<string, string>): Temporal.PlainDate {
  const first = names.indexOf(rule.get('WKST') ?? 'MO') + 1;
  return day.subtract({ days: (day.dayOfWeek - first + 7) % 7 });
}

/** A week belongs to the year that has at least four of its days. */
function weekOf(day: Temporal.PlainDate, rule: Map<string, string>): { year: number; week: number; weeks: number } {
  const first = startOfWeek(day, rule);
  const { year } = first.add({ days: 3 });
  const firstOf = (of: number) => startOfWeek(Temporal.PlainDate.from({ year: of, month: 1, day: 4 }), rule);
  const weeksUntil = (to: Temporal.PlainDate) => firstOf(year).until(to).days / 7;
  return { year, week: weeksUntil(first) + 1, weeks: weeksUntil(firstOf(year + 1)) };
}

function timesOf(numbers: (name: string) => number[] | undefined, start: Temporal.PlainDateTime): string[] {
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = numbers('BYHOUR') ?? [start.hour];
  const minutes = numbers('BYMINUTE') ?? [start.minute];
  const all = hours.flatMap((hour) => minutes.map((minute) => `${two(hour)}:${two(minute)}:${two(start.second)}`));
  return [...new Set(all)].sort();
}
