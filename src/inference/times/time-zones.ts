import { saysUtc } from '../dates/read-column.ts';
import type { Guess } from '../proposal.ts';
import type { TimeFields } from './pick-times.ts';
import type { TimeRule } from './time-rule.ts';

/** Returns the zone of wall times, if a field has the zone or is named as UTC. */
export function zoneOf(
  { start, end, zone, unreadEnd }: TimeFields,
  rules: readonly TimeRule[],
): { timezone?: Guess<string>; warning?: string } {
  const inUtc = [start, end].flatMap((one) => (one?.dates.zone === 'field named UTC' ? [one.dates.column.path] : []));
  if (unreadEnd !== undefined) {
    const [utc, local] = inUtc.length > 0 ? [inUtc[0], unreadEnd.path] : [unreadEnd.path, start.dates.column.path];
    return {
      ...(inUtc.length > 0 && { timezone: utcOf(inUtc) }),
      warning: `${utc} is named as UTC, ${local} is not, but a sync has one zone for times without one: ${unreadEnd.path} is not read.`,
    };
  }
  if (inUtc.length > 0) return { timezone: utcOf(inUtc) };
  const [name, ...others] = [...new Set(zone?.texts)];
  const isWall = start.dates.zone === 'none' || rules.some(({ attribute }) => attribute === 'time.start');
  if (zone === undefined || name === undefined || !isWall) return {};
  if (others.length === 0) return { timezone: { value: name, evidence: `all records have it in ${zone.path}` } };
  const shown = [name, ...others].slice(0, 3).join(', ');
  return {
    warning: `The times are in several zones (${shown}), but a sync has one: set source.timezone, or split the feed.`,
  };
}

function utcOf(paths: readonly string[]): Guess<string> {
  return { value: 'UTC', evidence: `${paths.join(' and ')} ${paths.length === 1 ? 'is' : 'are'} named as UTC` };
}

/** Returns a warning if a time of day is named as UTC: without its day, it cannot be converted. */
export function utcTimes({ attribute, reads: [column] }: TimeRule): string[] {
  if (!attribute.startsWith('time.') || column === undefined || !saysUtc(column)) return [];
  return [`${column.path} is named as UTC, but times of day are read as times of the site: combine it with its day.`];
}
