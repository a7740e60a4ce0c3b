import { DAY, type WallTime } from '../../../src/core/dates/wall-time.ts';
import { CodedError } from '../../../src/core/errors.ts';
import { LAST, parseBasicFormat } from '../time/basic-format.ts';
import { type Budget, type Expand, expander } from './expand.ts';
import { periodsOf } from './periods.ts';
import { parseRuleParts } from './rule-parts.ts';
import { ruleSpec } from './rule-spec.ts';

/** A recurrence rule, which is expanded in wall time and does not depend on zones. */
export interface Rule {
  /** Whether the rule has neither COUNT nor an UNTIL before the year 9999. */
  endless: boolean;
  /** The last wall time that UNTIL allows. */
  until?: WallTime;
  /**
   * Returns the wall times in a range, ascending, both ends inclusive. They are computed lazily: a rule for every second only
   * costs the dates that are read, and a range far from the start costs no more than a near range.
   * @throws Error if the rules of the feed cost too much
   */
  between(from: WallTime, to: WallTime): Iterable<WallTime>;
}

export interface RuleContext {
  start: WallTime;
  /** Whether DTSTART is a DATE. */
  isDate: boolean;
  budget: Budget;
  /** Converts an instant (ms since 1970) to the wall time of the event: UNTIL may be in UTC. */
  wallTimeOfUtc: (instant: number) => WallTime;
}

/**
 * Parses an RRULE or EXRULE. Case and white space do not matter.
 * @throws CodedError FF_RECORD_MALFORMED
 */
export function parseRule(text: string, context: RuleContext): Rule {
  const { start, isDate, budget } = context;
  const parts = parseRuleParts(text, isDate);
  const count = parts.has('COUNT') ? Number(parts.get('COUNT')) : undefined;
  const until = parseUntil(parts.get('UNTIL'), context);
  const spec = ruleSpec(parts, start);
  let expand: Expand | undefined;
  return {
    endless: count === undefined && until === undefined,
    until,
    between: (from, to) => {
      if (from > to) return [];
      expand ??= expander(spec, periodsOf(spec, start), start, count, budget);
      return expand(from, Math.min(to, until ?? to, LAST));
    },
  };
}

/** The end of a day in America, which in UTC is on the next day: `20260925T035959Z`. */
const endOfWesternDay = /T(0\d|1[01])[0-5]959Z$/i;

/** Parses UNTIL: UTC, local, or a date, which includes the whole day. For a DATE event only the date counts. */
function parseUntil(value: string | undefined, { isDate, wallTimeOfUtc }: RuleContext): WallTime | undefined {
  // The last year means that the rule has no end.
  if (value === undefined || value.startsWith('9999')) return undefined;
  const parsed = parseBasicFormat(isDate ? value.replace(/T.*/, '') : value);
  if (parsed === undefined) throw new CodedError('FF_RECORD_MALFORMED', `UNTIL: "${value}" is not a date or time`);
  if (parsed.offset !== undefined) return wallTimeOfUtc(parsed.wall - parsed.offset);
  if (isDate) return endOfWesternDay.test(value) ? parsed.wall - DAY : parsed.wall;
  return parsed.isDate ? parsed.wall + DAY - 1000 : parsed.wall;
}
