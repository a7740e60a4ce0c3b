import { sha256 } from '../../core/hash.ts';
import { plainText } from '../../core/html/html-text.ts';
import type { Payload, Resource } from '../../core/record.ts';
import { namesPlace, textsIn } from '../../core/text/place-names.ts';
import { fold, wordsIn } from '../../core/text/search-terms.ts';
import { identifying } from '../identity/sighting.ts';
import { matchKey, valueAt } from '../items/values.ts';

// What names a thing, as its source writes it: no CMS has rewritten it. By it, two records of one sync are compared.

/** What is compared of two records. `unknown`: at least one of them lacks it. */
export interface NameFacts {
  /** `similar`: one begins the other, or they share more than half of the words of the shorter one. */
  title: 'equal' | 'similar' | 'other' | 'unknown';
  day: 'equal' | 'other' | 'unknown';
  start: 'equal' | 'other' | 'unknown';
  place: 'equal' | 'other' | 'unknown';
  email: 'equal' | 'other' | 'unknown';
  username: 'equal' | 'other' | 'unknown';
  /** Names of people are equal if they share a word. */
  givenName: 'equal' | 'other' | 'unknown';
  familyName: 'equal' | 'other' | 'unknown';
}

export interface Names {
  title: readonly string[];
  day?: string | undefined;
  start?: string | undefined;
  place?: string | undefined;
  email?: string | undefined;
  username?: string | undefined;
  givenName: readonly string[];
  familyName: readonly string[];
}

/** Returns what names the thing that a payload describes. */
export function namesOf(payload: Payload, resource: Resource): Names {
  if (resource === 'accounts') {
    const [email, username] = identifying.accounts.map((name) => {
      const value = matchKey([name], payload);
      return value === undefined ? undefined : spelling(value);
    });
    return { title: [], email, username, givenName: wordsOf(payload.firstName), familyName: wordsOf(payload.lastName) };
  }
  const [, day, start] = identifying.events.map((path) => matchKey([path], payload));
  const places = Object.keys(payload).filter(namesPlace).sort();
  const place = places.flatMap((name) => textsIn(payload[name])).flatMap(wordsOf);
  return {
    ...{ title: wordsOf(valueAt(payload, 'title')), day, start, givenName: [], familyName: [] },
    place: place.length > 0 ? place.join(' ') : undefined,
  };
}

/** Hash of what names a thing: a question about the thing is asked again if it changes. */
export function namesHash(payload: Payload, resource: Resource): string {
  return sha256(JSON.stringify(Object.entries(namesOf(payload, resource)).sort()));
}

/** Compares what names two records of one sync. */
export function compareNames(one: Names, other: Names): NameFacts {
  const factOf = (name: 'day' | 'start' | 'place' | 'email' | 'username') => {
    const [first, second] = [one[name], other[name]];
    if (first === undefined || second === undefined) return 'unknown';
    return first === second ? 'equal' : 'other';
  };
  return {
    title: titleFact(one.title, other.title),
    ...{ day: factOf('day'), start: factOf('start'), place: factOf('place') },
    ...{ email: factOf('email'), username: factOf('username') },
    givenName: nameFact(one.givenName, other.givenName),
    familyName: nameFact(one.familyName, other.familyName),
  };
}

/** Programs write a login in one of these forms: with ß or ss, with a dotted I, with invisible signs. */
function spelling(text: string): string {
  return fold(text)
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replace(/\p{Cf}/gu, '');
}

function wordsOf(value: unknown): string[] {
  return typeof value === 'string' ? wordsIn(plainText(value)) : [];
}

function titleFact(one: readonly string[], other: readonly string[]): NameFacts['title'] {
  if (one.length === 0 || other.length === 0) return 'unknown';
  const [shorter = [], longer = []] = [one, other].sort((a, b) => a.length - b.length);
  if (one.join('') === other.join('')) return 'equal';
  const shared = new Set(shorter.filter((word) => longer.includes(word))).size;
  return shared * 2 > new Set(shorter).size || longer.join('').startsWith(shorter.join('')) ? 'similar' : 'other';
}

function nameFact(one: readonly string[], other: readonly string[]): 'equal' | 'other' | 'unknown' {
  if (one.length === 0 || other.length === 0) return 'unknown';
  return one.some((word) => other.includes(word)) ? 'equal' : 'other';
}
