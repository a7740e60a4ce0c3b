import { describe, expect, test } from 'vitest';
import { grades, suffices } from '../../../../src/sync/identity/grades.ts';
import { compare } from '../../../../src/sync/identity/identity.ts';
import { sightingOf } from '../../../../src/sync/identity/sighting.ts';

// Every combination of facts is in exactly one line. `*`: any; `|`: or.

const EVENTS = `
  title             day                 start          rest         grade
  equal             equal               equal|unknown  *            same
  equal             next|unknown        equal|unknown  *            rewritten
  cut               equal|next|unknown  equal|unknown  *            rewritten
  equal|cut         equal|next|unknown  other          *            alike
  begins            equal|next|unknown  *              *            alike
  equal|cut|begins  other               *              several|one  alike
  equal|cut|begins  other               *              few          partly
  other             equal|next|unknown  *              several|one  alike
  other             equal|next|unknown  *              few          partly
  other             other               *              several      alike
  other             other               *              one|few      other
`;

const ACCOUNTS = `
  email           username        rest     grade
  equal           equal|unwanted  *        same
  unwanted        equal           *        same
  equal           other           *        similar
  other           equal           *        similar
  unwanted        unwanted        *        alike
  unwanted        other           several  alike
  other           unwanted|other  several  alike
  unwanted        other           one|few  other
  other           unwanted|other  one|few  other
`;

const EXTERNAL_IDS = `
  externalId  grade
  exact       id
  otherCase   rewritten
  begins      other
  another     other
`;

// With only the beginning of the external id, at the length at which the CMS may cut it.
const CUT_EVENTS = `
  title             day                 grade
  equal|cut|begins  *                   rewritten
  other             equal|next|unknown  rewritten
  other             other               other
`;

const CUT_ACCOUNTS = `
  email           username        grade
  equal           *               rewritten
  unwanted|other  equal           rewritten
  unwanted        unwanted        rewritten
  unwanted        other           other
  other           unwanted|other  other
`;

/** What an item shows if a fact has a value. The event and the account are compared with `event` and `account`. */
const shown: Record<string, Record<string, Record<string, unknown>>> = {
  title: {
    equal: { title: 'FISH &amp; Chips – the  “best” of the town' },
    cut: { title: 'Fish & Chips: the best' },
    begins: { title: 'Fish & Chips: the' },
    other: { title: 'Maps' },
  },
  day: {
    equal: { date: '2030-03-01' },
    next: { date: '2030-02-28' },
    unknown: { date: null },
    other: { date: '2030-03-03' },
  },
  start: { equal: { time: { start: '6:00 pm' } }, unknown: {}, other: { time: { start: '18:30:00' } } },
  email: { equal: { email: ' Ada@X.org' }, other: { email: 'bob@x.org' }, unwanted: { email: 'bob@x.org' } },
  username: { equal: { username: 'ADA' }, other: {}, unwanted: { username: 'bob' } },
  rest: { several: { room: 'R1', phone: '1' }, one: { phone: '1', room: 'R2' }, few: { isFeatured: true } },
};
const others = { room: 'R1', phone: '1', isFeatured: true };
const event = {
  title: 'Fish & Chips: the "best" of the town',
  date: '2030-03-01',
  time: { start: '18:00:00' },
  ...others,
};
const account = { email: 'ada@x.org', username: 'ada', ...others };

/** The lines of a table, and a function that grades by it. */
function parse(table: string) {
  const [names = [], ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/));
  const gradesOf = (facts: Readonly<Record<string, string>>) =>
    lines
      .filter((line) =>
        names.slice(0, -1).every((name, at) => line[at] === '*' || line[at]?.split('|').includes(facts[name] ?? '')),
      )
      .map((line) => line.at(-1));
  return { names: names.slice(0, -1), gradesOf };
}

/** All combinations of the values of some facts. */
function combinations(names: readonly string[]): Array<Record<string, string>> {
  return names.reduce<Array<Record<string, string>>>(
    (before, name) =>
      before.flatMap((facts) => Object.keys(shown[name] ?? {}).map((value) => ({ ...facts, [name]: value }))),
    [{}],
  );
}

function itemWith(facts: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.assign({}, ...Object.entries(facts).map(([name, value]) => shown[name]?.[value]));
}

const KEY = 'talks:T1-fish-and-chips';
const ids: Record<string, string | undefined> = {
  exact: KEY,
  otherCase: KEY.toUpperCase(),
  cut: KEY.slice(0, 15),
  begins: KEY.slice(0, 14),
  another: 'talks:T2',
  none: undefined,
};

function grade(resource: 'events' | 'accounts', facts: Record<string, string>, id?: string, mayBeUnmarked?: boolean) {
  const all = { ...itemWith(facts), mark: id };
  const isUnwanted = (name: string) => facts[name] === 'unwanted';
  const wanted = resource === 'events' ? event : account;
  const payload = Object.fromEntries(Object.entries(wanted).filter(([name]) => !isUnwanted(name)));
  const looks = [{ ...sightingOf(payload, resource), payload }];
  return compare(
    { ...sightingOf(all, resource, 'mark'), all },
    { externalIds: ['old:T1', KEY], looks, mayBeUnmarked },
    15,
  );
}

describe.each([
  ['events', EVENTS, CUT_EVENTS],
  ['accounts', ACCOUNTS, CUT_ACCOUNTS],
] as const)('Of %s', (resource, table, cut) => {
  const { names, gradesOf } = parse(table);

  test('All combinations of facts have the grade of the table', () => {
    const all = combinations(names);
    expect(all.map((facts) => ({ facts, grades: [grade(resource, facts)] }))).toEqual(
      all.map((facts) => ({ facts, grades: gradesOf(facts) })),
    );
  });

  test('An external id decides alone', () => {
    for (const facts of combinations(names)) {
      for (const [externalId, id] of Object.entries(ids).filter(([name]) => !['none', 'cut'].includes(name))) {
        expect([grade(resource, facts, id)]).toEqual(parse(EXTERNAL_IDS).gradesOf({ externalId }));
      }
    }
  });

  test('A cut external id needs a content that does not contradict it', () => {
    const parsed = parse(cut);
    for (const facts of combinations(parsed.names)) {
      expect([grade(resource, facts, ids.cut)]).toEqual(parsed.gradesOf(facts));
    }
  });

  test('Another external id decides nothing if the item may have been made without one', () => {
    for (const facts of combinations(names)) {
      expect(grade(resource, facts, ids.another, true)).toBe(grade(resource, facts));
      expect(grade(resource, facts, ids.exact, true)).toBe('id');
    }
  });
});

test('The item under the id of a record may differ more than one in a list, and the answer to a create still more', () => {
  expect(grades.filter((each) => suffices(each, 'own'))).toEqual(['id', 'same', 'similar', 'rewritten', 'alike']);
  expect(grades.filter((each) => !suffices(each, 'created'))).toEqual(['other']);
});
