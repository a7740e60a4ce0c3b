import type { Property } from '../parse/property.ts';
import { parseRule, type Rule } from '../rules/rule.ts';
import { parseWallTime, type WallTime } from '../time/wall-time.ts';
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

/**
 * The zone that the rules of a VTIMEZONE make; undefined where they cannot be read. Before its first onset the offset is
 * the one that the first onset changes from.
 */
export function zoneFromDefinition({ observances }: ZoneDefinition): Zone | undefined {
  const read = observances.map(readObservance);
  const known = read.filter((observance) => observance !== undefined);
  if (known.length === 0 || known.length < read.length) return undefined;
  const years = new Map<number, Change[]>();
  const changesAround = (instant: number): Change[] => {
    const year = new Date(instant).getUTCFullYear();
    const changes = years.get(year) ?? changesOf(known, year);
    years.set(year, changes);
    return changes;
  };
  return {
    offsetAt: (instant) => {
      const changes = changesAround(instant);
      return changes.findLast(({ at }) => at <= instant)?.to ?? changes[0]?.from ?? 0;
    },
  };
}

interface Change {
  /** Ms since 1970. */
  at: number;
  from: number;
  to: number;
}

/** The changes that matter in a year: its own, and the last one of each observance before it. */
function changesOf(observances: readonly Observance[], year: number): Change[] {
  const start = Date.UTC(year, 0, 1);
  const changes = observances.flatMap(({ from, to, onsets }) => {
    const all = [...onsets(start - 2 * YEAR, start + 2 * YEAR)];
    return all.map((onset) => ({ at: onset - from, from, to }));
  });
  return changes.sort((a, b) => a.at - b.at);
}

function readObservance(properties: readonly Property[]): Observance | undefined {
  const values = (name: string) => properties.filter((property) => property.name === name).map(({ value }) => value);
  const start = readLocal(values('DTSTART')[0]);
  const [from, to] = [readOffset(values('TZOFFSETFROM')[0]), readOffset(values('TZOFFSETTO')[0])];
  if (start === undefined || from === undefined || to === undefined) return undefined;
  const dates = values('RDATE').flatMap((list) => list.split(','));
  const fixed = [start, ...dates.map(readLocal).filter((wall) => wall !== undefined)];
  const rules = values('RRULE').map((rule) => parseRuleOrNone(rule, start, from));
  return { from, to, onsets: (first, end) => onsetsOf(fixed, rules, first, end) };
}

/** All that fall in the range, and the last single one before it, which may hold for long. */
function onsetsOf(fixed: WallTime[], rules: Array<Rule | undefined>, first: WallTime, end: WallTime): WallTime[] {
  const earlier = fixed.filter((wall) => wall < first);
  const recurring = rules.flatMap((rule) => (rule ? lastAndWithin(rule, first, end) : []));
  const within = fixed.filter((wall) => wall >= first && wall <= end);
  return [...(earlier.length > 0 ? [Math.max(...earlier)] : []), ...within, ...recurring];
}

/** A rule that has ended leaves its last onset behind. */
function lastAndWithin(rule: Rule, first: WallTime, end: WallTime): WallTime[] {
  const within = onsetsBetween(rule, first, end);
  if (within.length > 0 || rule.until === undefined || rule.until >= first) return within;
  return onsetsBetween(rule, rule.until - 2 * YEAR, rule.until).slice(-1);
}

/** No zone changes its clocks as often as this; rules of feeds may say anything, even what the library gives up on. */
const MOST_ONSETS = 400;

function onsetsBetween(rule: Rule, from: WallTime, to: WallTime): WallTime[] {
  const onsets: WallTime[] = [];
  try {
    for (const onset of rule.between(from, to)) {
      onsets.push(onset);
      if (onsets.length === MOST_ONSETS) break;
    }
  } catch {
    // What was found until then is all that can be told.
  }
  return onsets;
}

function parseRuleOrNone(text: string, start: WallTime, offset: number): Rule | undefined {
  try {
    // UNTIL is in UTC here; the onsets are wall times before the change.
    return parseRule(text, { start, isDate: false, wallOfUtc: (instant) => instant + offset });
  } catch {
    return undefined;
  }
}

function readLocal(value: string | undefined): WallTime | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2}))?Z?$/i.exec(value?.trim() ?? '');
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = match;
  return parseWallTime(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
}

/** UTC-OFFSET (RFC 5545, 3.3.14) in ms. */
function readOffset(value: string | undefined): number | undefined {
  const match = /^([+-])(\d{2}):?(\d{2})(\d{2})?$/.exec(value?.trim() ?? '');
  if (match === null) return undefined;
  const [, sign, hours, minutes, seconds = 0] = match;
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return Number(hours) < 24 ? (sign === '-' ? -ms : ms) : undefined;
}
