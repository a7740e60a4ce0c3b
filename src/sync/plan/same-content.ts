import { isDeepStrictEqual } from 'node:util';
import type { Payload } from '../../core/record.ts';
import { uniqueAttributes } from '../compare/unique-values.ts';
import { isEmpty } from '../items/values.ts';
import type { Candidate, Surroundings } from './candidate.ts';

/** How many attributes of an account must be equal at least: one alone may pass on to another person. */
const ENOUGH = 2;

/**
 * Pairs missing with new records that are equal: events in title, dates and start; accounts in everything but the key. Some
 * publishers change all keys at every export, as Outlook does with UIDs. A record that several others equal is not paired.
 */
export function matchByContent<Gone extends Candidate, Fresh extends Candidate>(
  gone: readonly Gone[],
  fresh: readonly Fresh[],
  { constants }: Pick<Surroundings, 'constants'>,
): Array<[Gone, Fresh]> {
  const goneByIdentity = Map.groupBy(gone, identityOf);
  return [...Map.groupBy(fresh, identityOf)].flatMap(([identity, news]): Array<[Gone, Fresh]> => {
    const olds = identity === undefined ? [] : (goneByIdentity.get(identity) ?? []);
    const [[old], [found]] = [olds, news];
    if (old === undefined || found === undefined || olds.length + news.length > 2) return [];
    return found.resource === 'events' || isSameAccount(old, found, constants) ? [[old, found]] : [];
  });
}

/** Returns the new records that resemble missing ones: they may be the same, or others. */
export function resembling<Fresh extends Candidate>(gone: readonly Candidate[], fresh: readonly Fresh[]): Fresh[] {
  const known = new Set(gone.flatMap(traitsOf));
  return fresh.filter((candidate) => traitsOf(candidate).some((trait) => known.has(trait)));
}

function identityOf({ resource, payload }: Candidate): string | undefined {
  if (resource === 'accounts') {
    const names = uniqueAttributes.map((name) => nameOf(payload, name));
    return names.every((name) => name === undefined) ? undefined : JSON.stringify(names);
  }
  const { title, date, endDate, time } = payload;
  const start = typeof time === 'object' && time !== null && 'start' in time ? time.start : null;
  return typeof title === 'string' ? JSON.stringify([title.trim(), date, endDate, start]) : undefined;
}

function traitsOf(candidate: Candidate): string[] {
  const { resource, payload } = candidate;
  if (resource === 'events') return [identityOf(candidate) ?? []].flat();
  return uniqueAttributes.flatMap((name) => nameOf(payload, name) ?? []);
}

function nameOf(payload: Payload, name: string): string | undefined {
  const value = payload[name];
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined;
}

/** Whether nothing but the key of an account has changed. An attribute may hold the key, too, but not as a name. */
function isSameAccount(old: Candidate, found: Candidate, constants: ReadonlySet<string>): boolean {
  const holdsKey = (attribute: string) =>
    String(old.payload[attribute]) === old.key && String(found.payload[attribute]) === found.key;
  const others = Object.entries(found.payload).filter(
    ([attribute]) => !uniqueAttributes.includes(attribute) && !holdsKey(attribute),
  );
  if (!others.every(([attribute, value]) => isDeepStrictEqual(old.payload[attribute] ?? null, value))) return false;
  const telling = others.filter(
    ([attribute, value]) => !constants.has(attribute) && typeof value !== 'boolean' && !isEmpty(value),
  );
  const names = uniqueAttributes.filter((name) => nameOf(found.payload, name) !== undefined && !constants.has(name));
  return names.length + telling.length >= ENOUGH;
}
