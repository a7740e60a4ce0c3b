import { RRuleTemporal } from 'rrule-temporal';
import type { WallTime } from '../../../src/core/dates/wall-time.ts';
import { messageOf } from '../../../src/core/errors.ts';
import { toBasicFormat } from '../time/basic-format.ts';
import type { Budget, Expand } from './expand.ts';
import { type RuleParts, ruleError } from './rule-parts.ts';

/** Cost of a date that the library computes, in steps. */
const STEPS_A_DATE = 1000;

/**
 * Creates the expansion of a rule with the months of another calendar (RSCALE; RFC 7529).
 * @throws CodedError FF_RECORD_MALFORMED
 */
export function otherCalendarExpander(parts: RuleParts, start: WallTime, budget: Budget): Expand {
  const text = [...parts].map((part) => part.join('=')).join(';');
  const ruleUntil = (to: WallTime) =>
    new RRuleTemporal({
      rruleString: `DTSTART:${toBasicFormat(start)}Z\nRRULE:${text};UNTIL=${toBasicFormat(to)}Z`,
      maxIterations: 20_000,
      maxCandidateEvaluations: 200_000,
      cache: false,
    });
  try {
    ruleUntil(start);
  } catch (cause) {
    throw ruleError(text, messageOf(cause).slice(0, 100));
  }
  return function* expand(from, to) {
    if (to < start) return;
    const rule = ruleUntil(to);
    let next = rule.next(new Date(from === Number.NEGATIVE_INFINITY ? start : from), true);
    for (; next && next.epochMilliseconds <= to; next = rule.next(next)) {
      budget.left -= STEPS_A_DATE;
      if (budget.left < 0) throw new RangeError('the rules of this feed have too many dates');
      yield next.epochMilliseconds;
    }
  };
}
