import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { CodedError, messageOf } from '../../../src/core/errors.ts';
import { DAY, LAST, parseBasicFormat, toBasicFormat, type WallTime } from '../time/wall-time.ts';
import { dailyEquivalent } from './daily-equivalent.ts';
import { parseRuleParts, type RuleParts, ruleError, units } from './rule-parts.ts';

/** Rules are not expanded further than this. */
const LIFETIME = 250 * 366 * DAY;

/** A recurrence rule, expanded in wall time: zones are not its concern. */
export interface Rule {
  /** It has neither COUNT nor UNTIL. */
  endless: boolean;
  /** The last wall time that UNTIL allows. */
  until?: WallTime;
  /**
   * The wall times of its first 250 years in a range, ascending, both ends inclusive. They are computed lazily: a rule for
   * every second costs only what is taken from it.
   * @throws Error if the library finds nothing for too long
   */
  between(from: WallTime, to: WallTime): Iterable<WallTime>;
}

export interface RuleContext {
  start: WallTime;
  /** DTSTART is a DATE. */
  isDate: boolean;
  /** Converts an instant (ms since 1970) to the wall time of the event: UNTIL may be in UTC. */
  wallTimeOfUtc: (instant: number) => WallTime;
}

/**
 * Parses an RRULE or EXRULE. Case and white space do not matter.
 * @throws CodedError FF_RECORD_MALFORMED
 */
export function parseRule(text: string, context: RuleContext): Rule {
  const parts = parseRuleParts(text, context.isDate);
  const count = parts.has('COUNT') ? Number(parts.get('COUNT')) : undefined;
  const until = parseUntil(parts.get('UNTIL'), context);
  // `between` applies UNTIL: the library gets the end of each range instead.
  parts.delete('UNTIL');
  const expand = count === undefined ? expander(parts, context.start) : countingExpander(parts, context.start, count);
  return {
    endless: count === undefined && until === undefined,
    until,
    between: (from, to) => expand(from, Math.min(to, until ?? to, context.start + LIFETIME, LAST)),
  };
}

/** Parses UNTIL: UTC, local, or a date, which includes the whole day. For a DATE event only the date counts, as written. */
function parseUntil(value: string | undefined, { isDate, wallTimeOfUtc }: RuleContext): WallTime | undefined {
  if (value === undefined) return undefined;
  const parsed = parseBasicFormat(isDate ? value.slice(0, 8) : value);
  if (parsed === undefined) throw new CodedError('FF_RECORD_MALFORMED', `UNTIL: "${value}" is not a date or time`);
  if (parsed.isUtc) return wallTimeOfUtc(parsed.wall);
  return parsed.isDate && !isDate ? parsed.wall + DAY - 1000 : parsed.wall;
}

type Expand = (from: WallTime, to: WallTime) => Iterable<WallTime>;

/** The library is fast for small counts only. */
function countingExpander(parts: Map<string, string>, start: WallTime, count: number): Expand {
  if (count <= 1000 && !dailyEquivalent(parts, start)) return expander(parts, start);
  parts.delete('COUNT');
  const expand = expander(parts, start);
  return (from, to) => takeCount(expand(start, to), count, from);
}

/** Creates the expansion of a rule without UNTIL in any range. */
function expander(parts: RuleParts, start: WallTime): Expand {
  const daily = dailyEquivalent(parts, start);
  const text = [...(daily?.parts ?? parts)].map((part) => part.join('=')).join(';');
  const lengths = chunkLengths(daily?.parts ?? parts);
  const expand: Expand = (from, to) =>
    from > to ? [] : inChunks(ruleUntil(to, text, start), lengths, Math.max(from, start), to);
  // Throws for an invalid rule now, not when it is expanded.
  ruleUntil(start, text, start);
  return daily ? (from, to) => filtered(expand(from, to), daily.keeps) : expand;
}

/** The library searches as far as UNTIL and no further. */
function ruleUntil(to: WallTime, text: string, start: WallTime): RRuleTemporal {
  try {
    return new RRuleTemporal({
      rruleString: `DTSTART:${toBasicFormat(start)}Z\nRRULE:${text};UNTIL=${toBasicFormat(to)}Z`,
      maxIterations: 20_000,
      maxCandidateEvaluations: 200_000,
      cache: false,
    });
  } catch (cause) {
    throw ruleError(text, messageOf(cause).slice(0, 100));
  }
}

/** Expands a range in ever larger chunks, because few dates may be wanted, or a great many. Skips gaps without dates. */
function* inChunks(
  rule: RRuleTemporal,
  [least, most]: [number, number],
  from: WallTime,
  to: WallTime,
): Generator<WallTime> {
  let length = least;
  for (let start = from; start <= to; start += 1000) {
    const next = rule.next(toUtc(start), true);
    if (next === null || next.epochMilliseconds > to) return;
    start = Math.min(next.epochMilliseconds + length, to);
    for (const time of rule.between(next, toUtc(start), true)) yield time.epochMilliseconds;
    length = Math.min(length * 2, most);
  }
}

/** The shortest and the longest chunk, in ms, by how dense the dates of the rule may be. */
function chunkLengths(parts: RuleParts): [least: number, most: number] {
  if (parts.has('COUNT')) return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const unit = units[parts.get('FREQ') ?? ''] ?? DAY;
  const most = parts.has('BYMINUTE') || parts.has('BYSECOND') ? DAY : Math.min(unit * 3600, 4 * 366 * DAY);
  return [Math.min(unit * Number(parts.get('INTERVAL') ?? 1) * 8, most), most];
}

function toUtc(wall: WallTime): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC');
}

/** Gives up after more than a hundred years of days without a match. */
function* filtered(walls: Iterable<WallTime>, keeps: (wall: WallTime) => boolean): Generator<WallTime> {
  let dropped = 0;
  for (const wall of walls) {
    if (keeps(wall)) {
      yield wall;
      dropped = 0;
    } else if (++dropped > 50_000) return;
  }
}

const MOST_COUNTED = 50_000;

/** COUNT counts from the start of the series, wherever the range begins. */
function* takeCount(walls: Iterable<WallTime>, count: number, from: WallTime): Generator<WallTime> {
  let taken = 0;
  for (const wall of walls) {
    if (wall >= from) yield wall;
    else if (taken === MOST_COUNTED) throw new RangeError(`it has more than ${MOST_COUNTED} dates before the window`);
    taken += 1;
    if (taken === count) return;
  }
}
