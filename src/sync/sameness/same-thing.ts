import type { Occurrence, Payload, Resource } from '../../core/record.ts';
import { isOver } from '../../mapping/window.ts';
import { type FactCondition, meets } from '../identity/condition.ts';
import { createTraitIndex, type Trait } from '../identity/trait-index.ts';
import { compareNames, type NameFacts, type Names, namesOf } from './names.ts';

/** All facts hold; docs/missing.md shows what is meant. */
interface Rule {
  readonly if: FactCondition<NameFacts>;
  readonly means: string;
}

/**
 * A record with a new key may be one whose key the feed no longer has, although it was not recognised by its content. A person is asked;
 * of several such records, about the one of the first rule.
 */
export const mayBeSame: readonly Rule[] = [
  { if: { title: ['equal'], day: ['equal'] }, means: 'the same title and day' },
  {
    if: { title: ['similar'], day: ['equal'], start: ['equal', 'unknown'], place: ['equal', 'unknown'] },
    means: 'a title with most of the same words, the same day and start, and no other place',
  },
  { if: { day: ['equal'], start: ['equal'], place: ['equal'] }, means: 'the same day, start and place' },
  {
    if: { title: ['equal'], day: ['near'], place: ['equal', 'unknown'] },
    means: 'the same title, and no other place, some days apart, if the missing one is not over',
  },
  { if: { username: ['equal'] }, means: 'the same user name, in any spelling' },
  { if: { email: ['equal'] }, means: 'the same e-mail address' },
  { if: { person: ['equal'] }, means: 'the same first and last name' },
];

/** A record that has kept its key may be another thing: all that names it has changed. A person is asked, except about a few events. */
export const mayBeAnother: readonly Rule[] = [
  { if: { title: ['other'], day: ['near', 'other'] }, means: 'another title and another day' },
  { if: { givenName: ['other'], email: ['other'] }, means: 'another first name and e-mail address' },
  { if: { givenName: ['other'], username: ['other'] }, means: 'another first name and user name' },
  { if: { person: ['other'] }, means: 'another first and last name' },
  {
    if: { givenName: ['unknown'], familyName: ['other'], email: ['other'] },
    means: 'without a first name: another last name and e-mail address',
  },
  {
    if: { givenName: ['unknown'], familyName: ['other'], username: ['other'] },
    means: 'without a first name: another last name and user name',
  },
  {
    if: { givenName: ['unknown'], familyName: ['unknown'], email: ['other'], username: ['other'] },
    means: 'without a name: another e-mail address and user name',
  },
];

interface Thing {
  resource: Resource;
  payload: Payload;
  occurrence?: Occurrence | undefined;
}

/**
 * Finds, among missing records, the one that another record may be.
 * @param now what the site's clock shows, YYYY-MM-DDTHH:MM:SS; absent: no event is over
 */
export function createMissingIndex<Gone extends Thing>(gone: readonly Gone[], now = '') {
  const index = createTraitIndex<{ old: Gone; names: Names }>();
  for (const old of gone) {
    const names = namesOf(old.payload, old.resource);
    index.add(traitsOf(names), { old, names });
  }
  const paired = new Set<Gone>();
  return { pairWith };

  /**
   * Returns the missing record that this one may be, if there is one; one that no other has, if there is one.
   * @param isSettled whether a person has said that this one and a missing one are different
   */
  function pairWith({ payload, resource, occurrence }: Thing, isSettled: (old: Gone) => boolean): Gone | undefined {
    const names = namesOf(payload, resource);
    const compared = index.sharing(soughtBy(names)).flatMap(({ old, names: others }) => {
      const facts = compareNames(others, names);
      const line = firstRule(mayBeSame, facts);
      // Other dates of a series are other events: the series has been compared as a whole.
      const isOther = isOver(old.payload, now) || (occurrence && occurrence.series === old.occurrence?.series);
      const isOff = facts.day === 'near' && isOther;
      return line === -1 || isOff || isSettled(old) ? [] : [{ line, old }];
    });
    const [first] = compared.sort(
      (one, other) => one.line - other.line || Number(paired.has(one.old)) - Number(paired.has(other.old)),
    );
    if (first) paired.add(first.old);
    return first?.old;
  }
}

/** Whether an update changes so much of what names its record that the key may have passed on: title and day, or a name of a person. */
export function mayBePassedOn(changed: readonly string[], resource: Resource): boolean {
  if (resource === 'events') return changed.includes('title') && changed.includes('date');
  return ['email', 'username', 'firstName'].some((name) => changed.includes(name));
}

/** Whether nothing that names a record is left under its key. */
export function isRenamedWholly(before: Payload, after: Payload, resource: Resource): boolean {
  return firstRule(mayBeAnother, compareNames(namesOf(before, resource), namesOf(after, resource))) !== -1;
}

/** The number of the first rule whose facts all hold; -1: none. */
export function firstRule(rules: readonly Rule[], facts: NameFacts): number {
  return rules.findIndex((rule) => meets(facts, rule.if));
}

/** What a missing record is found by: every rule of `mayBeSame` needs something in common that `soughtBy` has, too. */
function traitsOf({ day, start = NONE, ...names }: Names): Trait[] {
  return [...textsOf(names), ...(day === undefined ? [] : [`day ${day}`, `start ${day} ${start}`])];
}

/** What a record is looked for by. A start that one of two records lacks does not matter. */
function soughtBy({ day, start, ...names }: Names): Trait[] {
  if (day === undefined) return textsOf(names);
  const times = start === undefined ? [`day ${day}`] : [`start ${day} ${start}`, `start ${day} ${NONE}`];
  return [...textsOf(names), ...times];
}

const NONE = 'none';

function textsOf({ title, email, username, person }: Omit<Names, 'day' | 'start'>): string[] {
  const words = person.toSorted();
  const pairs = words.flatMap((one, nth) => words.slice(nth + 1).map((other) => `person ${one} ${other}`));
  const texts = Object.entries({ email, username }).flatMap(([name, value]) => (value ? [`${name} ${value}`] : []));
  return [...texts, ...pairs, ...(title.length > 0 ? [`title ${title.join(' ')}`] : [])];
}
