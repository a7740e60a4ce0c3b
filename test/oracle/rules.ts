import type { Kind, Traits } from './things.ts';

// The rules of docs/missing.md about changed keys, as a reader understands them.

const words = (title = '') => title.toLowerCase().split(' ');

function hasMostWords(one = '', other = ''): boolean {
  const [shorter = [], longer = []] = [words(one), words(other)].sort((a, b) => a.length - b.length);
  return shorter.filter((word) => longer.includes(word)).length * 2 > shorter.length;
}

const days = (date = '') => Date.parse(date) / 86_400_000;

/** "Is it the same?": whether a new record resembles a missing one. No event of the histories is over. */
export function resembles(one: Traits, other: Traits, kind: Kind): boolean {
  const equal = (...traits: string[]) => traits.every((trait) => one[trait] !== '' && one[trait] === other[trait]);
  if (kind === 'accounts') return equal('login') || equal('mail') || equal('first', 'last');
  return (
    equal('title', 'date') ||
    (hasMostWords(one.title, other.title) && equal('date', 'start', 'place')) ||
    equal('date', 'start', 'place') ||
    (equal('title', 'place') && Math.abs(days(one.date) - days(other.date)) <= 5)
  );
}

/** "Is it the same?": whether something else is under the key of a record. */
export function isAnother(earlier: Traits, now: Traits, kind: Kind): boolean {
  const differ = (...traits: string[]) => traits.every((trait) => earlier[trait] !== now[trait]);
  if (kind === 'accounts') return differ('first', 'mail') || differ('first', 'login') || differ('first', 'last');
  return differ('title', 'date') && !hasMostWords(earlier.title, now.title);
}

/** "Changed keys": whether a new record counts as a missing one without a question. */
export function isRecognised(missing: Traits, now: Traits, kind: Kind): boolean {
  const traits = kind === 'accounts' ? Object.keys(now) : ['title', 'date', 'start'];
  return traits.every((trait) => missing[trait] === now[trait]);
}
