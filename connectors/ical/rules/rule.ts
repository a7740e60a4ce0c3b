import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { CodedError } from '../../../src/core/errors.ts';
import { DAY, LAST, parseWallTime, toBasicFormat, type WallTime } from '../time/wall-time.ts';
import { dailyEquivalent } from './daily-equivalent.ts';
import { parseRuleParts, type RuleParts, ruleError, units } from './rule-parts.ts';

/** No feed looks further ahead. */
const LIFETIME = 250 * 366 * DAY;

/** A recurrence rule, expanded on wall time: zones are none of its business. */
export interface Rule {
  /** Neither COUNT nor UNTIL ends it. */
  endless: boolean;
  /** COUNT ends it: what it makes has to be counted from its start. */
  counts: boolean;
  /** The last wall time that UNTIL allows. */
  until?: WallTime;
  /**
   * The wall times that it makes in its first 250 years, ascending, both ends inclusive; lazily, so that a rule for every second costs only what is
   * taken of it.
   * @throws Error where the library gives up, since it finds nothing for too long
   */
  between(from: WallTime, to: WallTime): Iterable<WallTime>;
}

/** What a rule needs to know of its event. */
export interface RuleContext {
  start: WallTime;
  /** DTSTART is a DATE. */
  isDate: boolean;
  /** The wall time of the event at an instant (ms since 1970): UNTIL may be in UTC. */
  wallOfUtc: (instant: number) => WallTime;
}

/**
 * Reads an RRULE or EXRULE. Case and blanks do not matter.
 * @throws CodedError FF_RECORD_MALFORMED
 */
export function parseRule(text: string, context: RuleContext): Rule {
  const parts = parseRuleParts(text, context.isDate);
  const count = parts.has('COUNT') ? Number(parts.get('COUNT')) : undefined;
  const until = readUntil(parts.get('UNTIL'), context);
  // The end is seen to here: the rule below it is made anew for every range that is asked for.
  parts.delete('UNTIL');
  const expand = count === undefined ? expander(parts, context.start) : countingExpander(parts, context.start, count);
  return {
    endless: count === undefined && until === undefined,
    counts: count !== undefined,
    ...(until === undefined ? {} : { until }),
    between: (from, to) => expand(from, Math.min(to, until ?? to, context.start + LIFETIME, LAST)),
  };
}

/** UNTIL: UTC, local, or a day, which then counts to its end. Of a DATE event only the day matters, as written. */
function readUntil(value: string | undefined, { isDate, wallOfUtc }: RuleContext): WallTime | undefined {
  if (value === undefined) return undefined;
  const [, year, month, day, clock = 'T235959', utc] = /^(\d{4})(\d\d)(\d\d)(T\d{6})?(Z)?$/.exec(value) ?? [];
  const time = isDate ? '00:00:00' : clock.replace(/T(\d\d)(\d\d)(\d\d)/, '$1:$2:$3');
  const wall = parseWallTime(`${year}-${month}-${day}T${time}`);
  if (wall === undefined) throw new CodedError('FF_RECORD_MALFORMED', `UNTIL=${value} is not a date or time`);
  return utc !== undefined && !isDate ? wallOfUtc(wall) : wall;
}

type Expand = (from: WallTime, to: WallTime) => Iterable<WallTime>;

/** The library counts small numbers well; of large ones it gives up. */
function countingExpander(parts: Map<string, string>, start: WallTime, count: number): Expand {
  if (count <= 1000 && !dailyEquivalent(parts, start)) return expander(parts, start);
  parts.delete('COUNT');
  const expand = expander(parts, start);
  return (from, to) => counted(expand(start, to), count, from);
}

/** What a rule without UNTIL makes in any range. */
function expander(parts: RuleParts, start: WallTime): Expand {
  const daily = dailyEquivalent(parts, start);
  const text = [...(daily?.parts ?? parts)].map((part) => part.join('=')).join(';');
  const lengths = pieceLengths(daily?.parts ?? parts);
  const expand: Expand = (from, to) =>
    from > to ? [] : inPieces(ruleUntil(to, text, start), lengths, Math.max(from, start), to);
  // A mistake in the rule comes out at once, not when it is expanded.
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
    throw ruleError(text, cause instanceof Error ? cause.message.slice(0, 100) : 'it is not understood');
  }
}

/** Goes from one piece with occurrences to the next, in ever larger steps: few may be wanted, or a great many. */
function* inPieces(
  rule: RRuleTemporal,
  [least, most]: [number, number],
  from: WallTime,
  to: WallTime,
): Generator<WallTime> {
  let length = least;
  for (let start = from; start <= to; start += 1000) {
    const next = rule.next(utc(start), true);
    if (next === null || next.epochMilliseconds > to) return;
    start = Math.min(next.epochMilliseconds + length, to);
    for (const time of rule.between(next, utc(start), true)) yield time.epochMilliseconds;
    length = Math.min(length * 2, most);
  }
}

/** The shortest and the longest piece to take, by how dense the rule may be; in ms. */
function pieceLengths(parts: RuleParts): [number, number] {
  if (parts.has('COUNT')) return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const unit = units[parts.get('FREQ') ?? ''] ?? DAY;
  const most = parts.has('BYMINUTE') || parts.has('BYSECOND') ? DAY : Math.min(unit * 3600, 4 * 366 * DAY);
  return [Math.min(unit * Number(parts.get('INTERVAL') ?? 1) * 8, most), most];
}

function utc(wall: WallTime): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC');
}

/** Gives up where nothing has been kept for more than a hundred years of days. */
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
function* counted(walls: Iterable<WallTime>, count: number, from: WallTime): Generator<WallTime> {
  let done = 0;
  for (const wall of walls) {
    if (wall >= from) yield wall;
    else if (done === MOST_COUNTED) throw new RangeError(`it makes more than ${MOST_COUNTED} dates before these`);
    done += 1;
    if (done === count) return;
  }
}
