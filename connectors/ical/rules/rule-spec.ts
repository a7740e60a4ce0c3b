import type { WallTime } from '../../../src/core/dates/wall-time.ts';
import { calendarDate, dayAt, dayOfWeek } from '../time/days.ts';
import type { RuleParts } from './rule-parts.ts';

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** A weekday; `nth` is its number in the month or year, counted from the end if negative. 0 means every such weekday. */
export interface NthWeekday {
  weekday: number;
  nth: number;
}

/** A recurrence rule with its defaults from DTSTART (RFC 5545, 3.3.10). An absent list limits nothing. */
export interface RuleSpec {
  freq: string;
  interval: number;
  /** 0 is Sunday. */
  weekStart: number;
  months?: ReadonlySet<number>;
  weeks?: ReadonlySet<number>;
  yearDays?: ReadonlySet<number>;
  monthDays?: ReadonlySet<number>;
  weekdays?: readonly NthWeekday[];
  hours?: ReadonlySet<number>;
  minutes?: ReadonlySet<number>;
  seconds?: ReadonlySet<number>;
  positions?: ReadonlySet<number>;
}

/** Reads the parts of a rule. */
export function ruleSpec(parts: RuleParts, start: WallTime): RuleSpec {
  const list = (name: string) => {
    const items = parts.get(name)?.split(',').map(Number);
    return items && new Set(items);
  };
  const spec: RuleSpec = {
    freq: parts.get('FREQ') ?? '',
    interval: Number(parts.get('INTERVAL') ?? 1),
    weekStart: weekdays.indexOf(parts.get('WKST') ?? 'MO'),
    months: list('BYMONTH'),
    weeks: list('BYWEEKNO'),
    yearDays: list('BYYEARDAY'),
    monthDays: list('BYMONTHDAY'),
    weekdays: parts.get('BYDAY')?.split(',').map(readWeekday),
    hours: list('BYHOUR'),
    minutes: list('BYMINUTE'),
    seconds: list('BYSECOND'),
    positions: list('BYSETPOS'),
  };
  // Clocks without leap seconds show :59 instead of :60 (RFC 5545, 3.3.10).
  if (spec.seconds?.has(60)) spec.seconds = new Set([...spec.seconds].map((second) => Math.min(second, 59)));
  // In rules with week numbers, the numbers of weekdays have no meaning.
  if (spec.weeks) spec.weekdays = spec.weekdays?.map(({ weekday }) => ({ weekday, nth: 0 }));
  return { ...spec, ...daysFromStart(spec, start) };
}

function readWeekday(item: string): NthWeekday {
  return { weekday: weekdays.indexOf(item.slice(-2)), nth: Number(item.slice(0, -2)) };
}

/** Returns the limits on days that follow from DTSTART if the rule has none. */
function daysFromStart(spec: RuleSpec, start: WallTime): Partial<RuleSpec> {
  const { freq, months, weeks } = spec;
  if (spec.yearDays || spec.monthDays || spec.weekdays) return {};
  const { month, date } = calendarDate(dayAt(start));
  const sameWeekday = { weekdays: [{ weekday: dayOfWeek(dayAt(start)), nth: 0 }] };
  // In rules that are not yearly, BYWEEKNO means every day of the weeks, as in python-dateutil.
  if (weeks) return freq === 'YEARLY' ? sameWeekday : {};
  if (freq === 'WEEKLY') return sameWeekday;
  if (freq === 'MONTHLY') return { monthDays: new Set([date]) };
  return freq === 'YEARLY' ? { months: months ?? new Set([month]), monthDays: new Set([date]) } : {};
}
