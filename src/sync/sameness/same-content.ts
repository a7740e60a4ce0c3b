import { isDeepStrictEqual } from 'node:util';
import { namesPlace, textsIn } from '../../core/text/place-names.ts';
import { uniqueAttributes } from '../compare/unique-values.ts';
import { identifying } from '../identity/sighting.ts';
import { isEmpty, matchKey } from '../items/values.ts';
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

/** Pairs events that are equal in their places, too, in order: visitors cannot tell them apart. A source may list them several times. */
export function matchByPlace<Gone extends Candidate, Fresh extends Candidate>(
  gone: readonly Gone[],
  fresh: readonly Fresh[],
): Array<[Gone, Fresh]> {
  const freshByPlace = Map.groupBy(fresh.toSorted(inOrder), placedIdentityOf);
  return [...Map.groupBy(gone.toSorted(inOrder), placedIdentityOf)].flatMap(
    ([identity, olds]): Array<[Gone, Fresh]> => {
      const news = identity === undefined ? [] : (freshByPlace.get(identity) ?? []);
      return news.slice(0, olds.length).map((found, index) => [olds[index] as Gone, found]);
    },
  );
}

/** Records with items come first; 9 is before 10. */
function inOrder(one: Candidate, other: Candidate): number {
  const byItem = Number(one.deleted !== undefined) - Number(other.deleted !== undefined);
  return byItem || one.key.localeCompare(other.key, 'en', { numeric: true });
}

/** Both are from the source, so no CMS has rewritten them: a title that is cut, or another day, is another event. */
function identityOf({ resource, payload }: Candidate): string | undefined {
  const names = resource === 'events' ? [...identifying.events, 'endDate'] : uniqueAttributes;
  const values = names.map((name) => matchKey([name], payload));
  const isNamed = resource === 'events' ? values[0] !== undefined : values.some((value) => value !== undefined);
  return isNamed ? JSON.stringify(values) : undefined;
}

/** Absent for accounts, and for events without a place. */
function placedIdentityOf(candidate: Candidate): string | undefined {
  const { resource, payload } = candidate;
  const names = resource === 'events' ? Object.keys(payload).filter(namesPlace).sort() : [];
  const place = names.flatMap((name) => textsIn(payload[name])).join(' ');
  const identity = identityOf(candidate);
  return identity && matchKey(['identity', 'place'], { identity, place });
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
  const names = uniqueAttributes.filter(
    (name) => matchKey([name], found.payload) !== undefined && !constants.has(name),
  );
  return names.length + telling.length >= ENOUGH;
}
