import type { WallTime } from '../../../src/core/dates/wall-time.ts';
import { parseOffset, type Zone } from '../../../src/core/dates/zone.ts';
import { type Property, valuesOf } from '../parse/property.ts';
import type { Budget } from '../rules/expand.ts';
import { parseRule, type Rule } from '../rules/rule.ts';
import { parseBasicFormat } from '../time/basic-format.ts';

/** A VTIMEZONE as its calendar defines it (RFC 5545, 3.6.5). */
export interface ZoneDefinition {
  properties: Property[];
  /** The properties of each STANDARD and DAYLIGHT. */
  observances: Property[][];
}

/** A change of the offset from UTC. */
interface Change {
  /** Time of the change, in ms since 1970. */
  instant: number;
  from: number;
  to: number;
}

const YEAR = 366 * 86_400_000;

/** Limit for the onsets of one rule. A feed may have any rule, but no real zone changes its clocks this often. */
const MOST_ONSETS = 16;
const MOST_STEPS = 200_000;

/**
 * Makes a zone from the rules of a VTIMEZONE. Returns undefined if the rules cannot be read. Before the first onset, the offset
 * is the TZOFFSETFROM of the first onset.
 */
export function zoneFromDefinition(definition: ZoneDefinition): Zone | undefined {
  const budget = { left: MOST_STEPS };
  const read = definition.observances.map((properties) => readObservance(properties, budget));
  const observances = read.filter((observance) => observance !== undefined);
  if (observances.length === 0 || observances.length < read.length) return undefined;
  const years = new Map<number, Change[]>();
  return {
    offsetAt: (instant) => {
      const year = new Date(instant).getUTCFullYear();
      const changes =
        years.get(year) ?? observances.flatMap((around) => around(year)).sort((a, b) => a.instant - b.instant);
      years.set(year, changes);
      return changes.findLast(({ instant: changedAt }) => changedAt <= instant)?.to ?? changes[0]?.from ?? 0;
    },
  };
}

/** Returns a function that finds the changes of a year and of the neighbouring years, or the last changes before them. */
function readObservance(properties: readonly Property[], budget: Budget): ((year: number) => Change[]) | undefined {
  const start = parseLocal(valuesOf(properties, 'DTSTART')[0]);
  const from = parseOffset(valuesOf(properties, 'TZOFFSETFROM')[0] ?? '');
  const to = parseOffset(valuesOf(properties, 'TZOFFSETTO')[0] ?? '');
  if (start === undefined || from === undefined || to === undefined) return undefined;
  const dates = valuesOf(properties, 'RDATE').flatMap((list) => list.split(','));
  const fixed = [start, ...dates.map(parseLocal).filter((wall) => wall !== undefined)];
  const rules = valuesOf(properties, 'RRULE').flatMap((rule) => parseRuleOrNone(rule, start, from, budget));
  return (year) => {
    const onsets = [...fixed, ...rules.flatMap((rule) => onsetsAround(rule, Date.UTC(year, 0, 1)))];
    return onsets.map((onset) => ({ instant: onset - from, from, to }));
  };
}

/** Finds the onsets of a rule as wall times before the change. If the rule has ended, its last onset stays in force. */
function onsetsAround(rule: Rule, start: WallTime): WallTime[] {
  const onsets: WallTime[] = [];
  try {
    for (const onset of rule.between(Math.min(start, rule.until ?? start) - 2 * YEAR, start + 2 * YEAR)) {
      if (onsets.push(onset) === MOST_ONSETS) break;
    }
  } catch {
    // The rule has too many onsets. The onsets found so far are used.
  }
  return onsets;
}

function parseRuleOrNone(text: string, start: WallTime, offset: number, budget: Budget): Rule[] {
  try {
    // UNTIL is in UTC here; the onsets are wall times before the change.
    return [parseRule(text, { start, isDate: false, budget, wallTimeOfUtc: (instant) => instant + offset })];
  } catch {
    return [];
  }
}

/** Parses a local time. Some calendars write a Z after local times, which is ignored. */
function parseLocal(value = ''): WallTime | undefined {
  return parseBasicFormat(value.trim().replace(/Z$/i, ''))?.wall;
}
