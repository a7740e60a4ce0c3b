import { addDays, isIsoDate } from '../../core/dates/iso-date.ts';
import { sha256 } from '../../core/hash.ts';
import { plainText } from '../../core/html/html-text.ts';
import type { Payload, Resource } from '../../core/record.ts';
import { namesPlace, textsIn } from '../../core/text/place-names.ts';
import { fold, wordsIn } from '../../core/text/search-terms.ts';
import { identifying } from '../identity/sighting.ts';
import { matchKey, valueAt } from '../items/values.ts';

// What names a thing, as its source writes it: no CMS has rewritten it. By it, two records of one sync are compared.

type Fact = 'equal' | 'other' | 'unknown';

/** What is compared of two records. `unknown`: at least one of them lacks it. */
export interface NameFacts {
  /** `similar`: one begins the other, or they share more than half of the words of the shorter one. */
  title: Fact | 'similar';
  /** `near`: some days apart. */
  day: Fact | 'near';
  start: Fact;
  place: Fact;
  email: Fact;
  username: Fact;
  /** Equal: they share a word, as after a marriage. */
  givenName: Fact;
  familyName: Fact;
  /** All names of a person. Equal: at least two words, and one has all of the other; other: they share no word. */
  person: Fact | 'similar';
}

export interface Names {
  title: readonly string[];
  /** ISO date */
  day?: string | undefined;
  start?: string | undefined;
  place?: string | undefined;
  email?: string | undefined;
  username?: string | undefined;
  givenName: readonly string[];
  familyName: readonly string[];
  person: readonly string[];
}

/** An event that is moved is moved by so many days, as a rule. */
const NEAR_DAYS = 14;

const nobody = { givenName: [], familyName: [], person: [] };

/** Returns what names the thing that a payload describes. */
export function namesOf(payload: Payload, resource: Resource): Names {
  if (resource === 'accounts') {
    const [email, username] = identifying.accounts.map((name) => {
      const value = matchKey([name], payload);
      return value === undefined ? undefined : spelling(value);
    });
    const [givenName = [], familyName = [], shown = []] = ['firstName', 'lastName', 'displayName'].map((name) =>
      wordsOf(payload[name]),
    );
    const person = [...new Set([...givenName, ...familyName, ...shown])];
    return { title: [], email, username, givenName, familyName, person };
  }
  const start = matchKey(['time.start'], payload);
  const { date } = payload;
  const day = typeof date === 'string' && isIsoDate(date.slice(0, 10)) ? date.slice(0, 10) : undefined;
  const places = Object.keys(payload).filter(namesPlace).sort();
  const place = places.flatMap((name) => textsIn(payload[name])).flatMap(wordsOf);
  return {
    ...{ title: wordsOf(valueAt(payload, 'title')), day, start, ...nobody },
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
  const day = factOf('day');
  return {
    title: titleFact(one.title, other.title),
    day: day === 'other' && areNear(one.day ?? '', other.day ?? '') ? 'near' : day,
    ...{ start: factOf('start'), place: factOf('place'), email: factOf('email'), username: factOf('username') },
    givenName: nameFact(one.givenName, other.givenName),
    familyName: nameFact(one.familyName, other.familyName),
    person: personFact(one.person, other.person),
  };
}

function areNear(one: string, other: string): boolean {
  const [first = '', last = ''] = [one, other].sort();
  return last <= addDays(first, NEAR_DAYS);
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
  if (hasOtherNumber(shorter, longer) && hasOtherNumber(longer, shorter)) return 'other';
  const shared = new Set(shorter.filter((word) => longer.includes(word))).size;
  return shared * 2 > new Set(shorter).size || longer.join('').startsWith(shorter.join('')) ? 'similar' : 'other';
}

/** "Level 1" and "Level 2" are different things, whatever else their names have in common. */
function hasOtherNumber(name: readonly string[], other: readonly string[]): boolean {
  return name.some((word) => /\d/.test(word) && !other.includes(word));
}

function personFact(one: readonly string[], other: readonly string[]): NameFacts['person'] {
  const [shorter = [], longer = []] = [one, other].sort((a, b) => a.length - b.length);
  if (shorter.length < 2) return 'unknown';
  const shared = shorter.filter((word) => longer.includes(word)).length;
  if (shared === 0) return 'other';
  const isNumbered = hasOtherNumber(shorter, longer) || hasOtherNumber(longer, shorter);
  return shared === shorter.length && !isNumbered ? 'equal' : 'similar';
}

function nameFact(one: readonly string[], other: readonly string[]): Fact {
  if (one.length === 0 || other.length === 0) return 'unknown';
  return one.some((word) => other.includes(word)) ? 'equal' : 'other';
}
