import type { Property } from '../parse/property.ts';
import { parseRule, type Rule } from '../rules/rule.ts';
import { parseBasicFormat, type WallTime } from '../time/wall-time.ts';
import type { Zone } from '../time/zone.ts';

/** A VTIMEZONE as its calendar defines it (RFC 5545, 3.6.5). */
export interface ZoneDefinition {
  properties: Property[];
  /** The properties of each STANDARD and DAYLIGHT. */
  observances: Property[][];
}

interface Observance {
  from: number;
  to: number;
  /** Onsets as wall time before the change. */
  onsets: (from: WallTime, to: WallTime) => Iterable<WallTime>;
}

const YEAR = 366 * 86_400_000;

/** Limits the onsets of one observance: the rules of a feed may say anything, and no real zone changes its clocks so often. */
const MOST_ONSETS = 400;

/**
 * Makes a zone from the rules of a VTIMEZONE. Returns undefined if they cannot be read. Before the first onset, the offset is
 * the one that the first onset changes from.
 */
export function zoneFromDefinition(definition: ZoneDefinition): Zone | undefined {
  const read = definition.observances.map(readObservance);
  const observances = read.filter((observance) => observance !== undefined);
  if (observances.length === 0 || observances.length < read.length) return undefined;
  const years = new Map<number, Change[]>();
  const changesAround = (instant: number): Change[] => {
    const year = new Date(instant).getUTCFullYear();
    const changes = years.get(year) ?? changesOf(observances, year);
    years.set(year, changes);
    return changes;
  };
  return {
    offsetAt: (instant) => {
      const changes = changesAround(instant);
      return changes.findLast(({ instant: changedAt }) => changedAt <= instant)?.to ?? changes[0]?.from ?? 0;
    },
  };
}

interface Change {
  /** Ms since 1970. */
  instant: number;
  from: number;
  to: number;
}

/** The changes of a year and the years beside it, and the last one of each observance before them. */
function changesOf(observances: readonly Observance[], year: number): Change[] {
  const start = Date.UTC(year, 0, 1);
  const changes = observances.flatMap(({ from, to, onsets }) =>
    [...onsets(start - 2 * YEAR, start + 2 * YEAR)].map((onset) => ({ instant: onset - from, from, to })),
  );
  return changes.sort((a, b) => a.instant - b.instant);
}

function readObservance(properties: readonly Property[]): Observance | undefined {
  const values = (name: string) => properties.filter((property) => property.name === name).map(({ value }) => value);
  const start = parseLocal(values('DTSTART')[0]);
  const [from, to] = [parseOffset(values('TZOFFSETFROM')[0]), parseOffset(values('TZOFFSETTO')[0])];
  if (start === undefined || from === undefined || to === undefined) return undefined;
  const dates = values('RDATE').flatMap((list) => list.split(','));
  const fixed = [start, ...dates.map(parseLocal).filter((wall) => wall !== undefined)];
  const rules = values('RRULE').flatMap((rule) => parseRuleOrNone(rule, start, from));
  return { from, to, onsets: (first, end) => onsetsOf(fixed, rules, first, end) };
}

/** All onsets in the range, and the last single one before it, which may still be in force. */
function onsetsOf(fixed: WallTime[], rules: Rule[], first: WallTime, end: WallTime): WallTime[] {
  const earlier = fixed.filter((wall) => wall < first);
  const recurring = rules.flatMap((rule) => lastAndWithin(rule, first, end));
  const within = fixed.filter((wall) => wall >= first && wall <= end);
  return [...(earlier.length > 0 ? [Math.max(...earlier)] : []), ...within, ...recurring];
}

/** The last onset of a rule that has ended stays in force. */
function lastAndWithin(rule: Rule, first: WallTime, end: WallTime): WallTime[] {
  const within = onsetsBetween(rule, first, end);
  if (within.length > 0 || rule.until === undefined || rule.until >= first) return within;
  return onsetsBetween(rule, rule.until - 2 * YEAR, rule.until).slice(-1);
}

function onsetsBetween(rule: Rule, from: WallTime, to: WallTime): WallTime[] {
  const onsets: WallTime[] = [];
  try {
    for (const onset of rule.between(from, to)) {
      onsets.push(onset);
      if (onsets.length === MOST_ONSETS) break;
    }
  } catch {
    // The library gave up: the onsets so far are used.
  }
  return onsets;
}

function parseRuleOrNone(text: string, start: WallTime, offset: number): Rule[] {
  try {
    // UNTIL is in UTC here; the onsets are wall times before the change.
    return [parseRule(text, { start, isDate: false, wallTimeOfUtc: (instant) => instant + offset })];
  } catch {
    return [];
  }
}

/** Some calendars write a Z after local times. */
function parseLocal(value = ''): WallTime | undefined {
  return parseBasicFormat(value.trim().replace(/Z$/i, ''))?.wall;
}

/** Parses a UTC-OFFSET (RFC 5545, 3.3.14) as ms. */
function parseOffset(value = ''): number | undefined {
  const match = /^([+-])(\d{2}):?(\d{2})(\d{2})?$/.exec(value.trim());
  if (match === null) return undefined;
  const [, sign, hours, minutes, seconds = 0] = match;
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return Number(hours) < 24 ? (sign === '-' ? -ms : ms) : undefined;
}
