import { describe, expect, test } from 'vitest';
import type { Payload, Resource } from '../../../../src/core/record.ts';
import { compareNames, type NameFacts, namesOf } from '../../../../src/sync/sameness/names.ts';
import {
  createMissingIndex,
  firstRule,
  isRenamedWholly,
  mayBeAnother,
  mayBeSame,
} from '../../../../src/sync/sameness/same-thing.ts';

const values = {
  title: ['equal', 'similar', 'other', 'unknown'],
  day: ['equal', 'near', 'other', 'unknown'],
  start: ['equal', 'other', 'unknown'],
  place: ['equal', 'other', 'unknown'],
  email: ['equal', 'other', 'unknown'],
  username: ['equal', 'other', 'unknown'],
  givenName: ['equal', 'other', 'unknown'],
  familyName: ['equal', 'other', 'unknown'],
  person: ['equal', 'similar', 'other', 'unknown'],
} as const satisfies { [Fact in keyof NameFacts]: ReadonlyArray<NameFacts[Fact]> };
const unknown = Object.fromEntries(Object.keys(values).map((fact) => [fact, 'unknown'])) as unknown as NameFacts;
const byResource = {
  events: ['title', 'day', 'start', 'place'],
  accounts: ['email', 'username', 'givenName', 'familyName', 'person'],
} as const;

/** All combinations of facts about records of a resource. */
function combinations(resource: Resource): NameFacts[] {
  return byResource[resource].reduce<NameFacts[]>(
    (all, fact) => all.flatMap((facts) => values[fact].map((value) => ({ ...facts, [fact]: value }))),
    [unknown],
  );
}

describe.each(['events', 'accounts'] as const)('The rules about %s', (resource) => {
  const all = combinations(resource);

  test('ask nothing if nothing is known', () => {
    expect([firstRule(mayBeSame, unknown), firstRule(mayBeAnother, unknown)]).toEqual([-1, -1]);
  });

  test.each(byResource[resource])('ask about a new key all the more if the %s is equal', (fact) => {
    for (const facts of all) {
      if (firstRule(mayBeSame, facts) !== -1) expect(firstRule(mayBeSame, { ...facts, [fact]: 'equal' })).not.toBe(-1);
    }
  });

  test.each(byResource[resource])('ask about a kept key all the more if the %s is another', (fact) => {
    for (const facts of all) {
      if (facts[fact] !== 'equal' || firstRule(mayBeAnother, facts) === -1) continue;
      expect(firstRule(mayBeAnother, { ...facts, [fact]: 'other' })).not.toBe(-1);
    }
  });

  test('never find a record both likely to be the same and to be another, if all is known', () => {
    const known = all.filter((facts) => byResource[resource].every((fact) => facts[fact] !== 'unknown'));
    const isPossible = ({ person, givenName, familyName }: NameFacts) =>
      person !== 'equal' || (givenName !== 'other' && familyName !== 'other');
    const both = known
      .filter(isPossible)
      .filter((facts) => firstRule(mayBeSame, facts) !== -1 && firstRule(mayBeAnother, facts) !== -1);
    // A shared mailbox passes on to another person, whichever way it is asked.
    expect(both.every(({ email, username }) => email === 'equal' || username === 'equal')).toBe(true);
  });
});

const event = (title: string, date = '2031-03-01', start = '19:00', location = 'Hall'): Payload => ({
  ...{ title, date, location },
  time: { start },
});

describe('Names', () => {
  test.each([
    ['Hack Night', 'Hack Night: lightning talks', 'similar'],
    ['Choir', 'choir &amp; organ', 'similar'],
    ['Café-Konzert', 'cafe konzert', 'equal'],
    ['Bach-Konzert', 'Konzert Bach', 'similar'],
    ['Guided tour: Monet', 'Guided tour: Picasso', 'similar'],
    ['Yoga, level 1', 'Yoga, level 2', 'other'],
    ['Staff meeting', 'Staff meeting (room 5)', 'similar'],
    ['Course: Algebra', 'Course: Anatomy', 'other'],
    ['Choir', 'Lecture', 'other'],
    ['', 'Lecture', 'unknown'],
  ])('"%s" and "%s" are %s titles', (one, other, expected) => {
    expect(compareNames(namesOf(event(one), 'events'), namesOf(event(other), 'events')).title).toBe(expected);
  });

  test.each([
    ['İSMAİL', 'ismail'],
    ['straße', 'STRASSE'],
    ['jürgen', 'jür­gen'],
    ['Jürgen', 'JU\u0308RGEN'],
    ['ｊｕｅｒｇｅｎ', 'juergen'],
  ])('%s and %s are one user name', (one, other) => {
    const names = [one, other].map((username) => namesOf({ username }, 'accounts')) as [never, never];
    expect(compareNames(...names).username).toBe('equal');
  });

  test.each([
    ['Anna Berg', 'Anna Maria Berg', 'equal'],
    ['Anna Berg', 'Anna Stein', 'similar'],
    ['Room 1 Desk', 'Room 12 Desk', 'similar'],
    ['Anna Berg', 'Eva Fink', 'other'],
    ['Berg', 'Fink', 'unknown'],
  ])('%s and %s are %s', (one, other, expected) => {
    const names = [one, other].map((lastName) => namesOf({ lastName }, 'accounts')) as [never, never];
    expect(compareNames(...names).person).toBe(expected);
  });

  test.each<[string, Payload, Payload, boolean]>([
    [
      'a marriage',
      { firstName: 'Anna', lastName: 'Berg', email: 'ab@x' },
      { firstName: 'Anna', lastName: 'Stein', email: 'as@x' },
      false,
    ],
    [
      'a middle name',
      { firstName: 'Anna', lastName: 'Berg', email: 'ab@x' },
      { firstName: 'Anna Maria', lastName: 'Berg', email: 'amb@x' },
      false,
    ],
    [
      'another person',
      { firstName: 'John', lastName: 'Smith', email: 'john@x' },
      { firstName: 'Jane', lastName: 'Smith', email: 'jane@x' },
      true,
    ],
    [
      'a shared mailbox',
      { firstName: 'Ann', lastName: 'Berg', email: 'none@x' },
      { firstName: 'Eva', lastName: 'Fink', email: 'none@x' },
      true,
    ],
    [
      'another person with one name',
      { lastName: 'Anna Berg', email: 'desk@x' },
      { lastName: 'Eva Fink', email: 'desk@x' },
      true,
    ],
    ['addresses alone', { email: 'a@x', username: 'a' }, { email: 'b@x', username: 'b' }, true],
    ['a new address', { email: 'a@x', username: 'a' }, { email: 'b@x', username: 'a' }, false],
  ])('Under a kept key, %s', (_, before, after, isAnother) => {
    expect(isRenamedWholly(before, after, 'accounts')).toBe(isAnother);
  });
});

describe('The missing record that a new one may be', () => {
  const index = (...gone: Payload[]) =>
    createMissingIndex(gone.map((payload) => ({ payload, resource: 'events' as const })));
  const pair = (gone: Payload[], found: Payload) =>
    index(...gone).pairWith({ payload: found, resource: 'events' }, () => false)?.payload.title;

  test.each<[string, Payload[], Payload, string | undefined]>([
    ['has its title', [event('Lecture'), event('Choir', undefined, '20:00', 'Barn')], event('Choir'), 'Choir'],
    ['has its start and place', [event('Lecture'), event('Fair', undefined, '10:00')], event('Choir'), 'Lecture'],
    ['is not at another place', [event('Choir practice', undefined, '19:00', 'Barn')], event('Choir'), undefined],
    ['was moved by some days', [event('Choir', '2031-03-08')], event('Choir'), 'Choir'],
    ['was not moved by weeks', [event('Choir', '2031-03-18')], event('Choir'), undefined],
    ['was not moved elsewhere', [event('Choir', '2031-03-08', '19:00', 'Barn')], event('Choir'), undefined],
    ['is not at another time', [event('Lecture', undefined, '20:00')], event('Choir'), undefined],
  ])('%s', (_, gone, found, expected) => {
    expect(pair(gone, found)).toBe(expected);
  });

  test('was not moved if it is over', () => {
    const gone = [{ payload: event('Choir', '2031-02-25'), resource: 'events' as const }];
    const found = { payload: event('Choir'), resource: 'events' as const };
    expect(createMissingIndex(gone, '2031-02-26T12:00:00').pairWith(found, () => false)).toBeUndefined();
    expect(createMissingIndex(gone, '2031-02-25T12:00:00').pairWith(found, () => false)).toBe(gone[0]);
  });

  test('is no other date of its series', () => {
    const thing = (date: string, series: string) => {
      return { payload: event('Choir', date), resource: 'events' as const, occurrence: { series, slot: date } };
    };
    const missing = createMissingIndex([thing('2031-03-08', 's')]);
    expect(missing.pairWith(thing('2031-03-15', 's'), () => false)).toBeUndefined();
    expect(missing.pairWith(thing('2031-03-15', 't'), () => false)).toBeDefined();
    expect(missing.pairWith(thing('2031-03-08', 's'), () => false)).toBeDefined();
  });

  test('is one that no other has, if there is one, and none that a person has called different', () => {
    const [one, two] = [event('Choir'), event('Choir')];
    const missing = index(one, two);
    const found = { payload: event('Choir'), resource: 'events' as const };
    expect(missing.pairWith(found, () => false)?.payload).toBe(one);
    expect(missing.pairWith(found, () => false)?.payload).toBe(two);
    expect(missing.pairWith(found, ({ payload }) => payload === one)?.payload).toBe(two);
    expect(missing.pairWith(found, () => true)).toBeUndefined();
  });
});
