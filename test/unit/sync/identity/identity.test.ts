import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Payload, Resource } from '../../../../src/core/record.ts';
import { compare, createItemIndex, type FoundGrade } from '../../../../src/sync/identity/identity.ts';
import { sightingOf } from '../../../../src/sync/identity/sighting.ts';
import { rounds } from '../../../support/long.ts';

const MARK = 'source_key';

function gradeOf(resource: Resource, payload: Payload, item: Record<string, unknown>, ...externalIds: string[]) {
  return compare(sightingOf(item, resource, MARK), { externalIds, looks: [sightingOf(payload, resource)] });
}

describe('An event', () => {
  const talk = { title: 'Old Maps', date: '2027-03-01', endDate: '2027-03-01', time: { start: '18:00:00' } };

  test.each([
    ['as it was sent', {}, 'same'],
    ['with other case, blanks and a short time', { title: 'OLD  Maps ', time: { start: '18:00' } }, 'same'],
    ['whose end the CMS has changed', { endDate: null, time: { start: '18:00:00', end: '20:00:00' } }, 'same'],
    ['whose start the CMS does not show', { time: { start: null } }, 'same'],
    ['with a time in its day', { date: '2027-03-01T00:00:00' }, 'same'],
    ['at another time of the day', { time: { start: '19:00:00' } }, 'alike'],
    ['on the next day', { date: '2027-03-02' }, 'rewritten'],
    ['on another day', { date: '2027-03-08' }, 'partly'],
    ['of another record', { [MARK]: 'talks:T2' }, 'other'],
    ['whose external id is empty', { [MARK]: '' }, 'same'],
  ])('is compared with an item %s', (_, shown, expected) => {
    expect(gradeOf('events', talk, { ...talk, ...shown })).toBe(expected);
  });

  test('A title may consist of signs', () => {
    expect(gradeOf('events', { ...talk, title: '🎉' }, { ...talk, title: '🎉 ' })).toBe('same');
    expect(gradeOf('events', { ...talk, title: '🎉' }, { ...talk, title: '🎊' })).toBe('partly');
  });

  test('The best of several payloads and external ids counts', () => {
    const looks = ['2027-05-01', '2027-03-02', '2027-03-01'].map((date) => sightingOf({ ...talk, date }, 'events'));
    expect(compare(sightingOf(talk, 'events'), { externalIds: [], looks })).toBe('same');
    const externalIds = ['talks:T1-a', 'former:T1', 'TALKS:T1'];
    expect(compare({ externalId: 'TALKS:T1' }, { externalIds, looks: [] })).toBe('id');
    expect(compare({ externalId: 'talks:t1' }, { externalIds, looks: [] })).toBe('rewritten');
  });
});

test('Other attributes count if half of them are equal', () => {
  const payload = { title: 'Maps', date: '2027-03-01', a: '1', b: '2', c: '3', d: '4' };
  const looks = [{ ...sightingOf(payload, 'events'), payload }];
  const gradeWith = (all: Payload) => compare({ ...sightingOf(all, 'events'), all }, { externalIds: [], looks });
  const board = { title: 'Board', date: '2027-06-01' };
  expect(gradeWith({ ...board, a: '1', b: '2' })).toBe('alike');
  expect(gradeWith({ ...board, a: '1' })).toBe('other');
  expect(gradeWith({ ...board, date: '2027-03-01', a: '1' })).toBe('partly');
});

describe('Accounts', () => {
  test.each<[Payload, Record<string, unknown>, string]>([
    [{ email: 'Ada@Example.edu', username: 'ada' }, { email: 'ada@example.edu', username: 'ADA' }, 'same'],
    [{ email: 'ada@example.edu', username: 'ada' }, { email: 'ada@example.edu', username: 'bob' }, 'similar'],
    [{ email: 'ada@example.edu', username: 'ada' }, { email: 'bob@example.edu', username: 'ada' }, 'similar'],
    [{ email: 'ada@example.edu', username: 'ada' }, { email: '', username: 'ada' }, 'similar'],
    [{ email: 'ada@example.edu' }, { email: 'ada@example.edu', username: 'ada' }, 'same'],
    [{ email: null, username: 'ada' }, { email: 'ada@example.edu', username: 'ada' }, 'same'],
    [{ firstName: 'Ada' }, { firstName: 'Ada' }, 'alike'],
    [{ email: 'ada@example.edu', title: 'Dean' }, { email: 'bob@example.edu', title: 'Dean' }, 'other'],
    [{ email: 'ada@example.edu' }, { email: 'ada@example.edu', [MARK]: 'staff:bob' }, 'other'],
  ])('The account %j in a CMS that has %j is %s', (content, item, expected) => {
    expect(gradeOf('accounts', content, item)).toBe(expected);
  });
});

describe('An index of items', () => {
  const TITLE = 'Fish & Chips: the best of the town';
  const titles = [
    TITLE,
    'fish &amp; chips: the BEST of the town',
    TITLE.slice(0, 22),
    TITLE.slice(0, 9),
    '🎉',
    '???',
    '',
  ];
  const [id, long] = ['talks:T1', 'talks:T1-fish-and-chips'];
  const ids = [id, id.toUpperCase(), long, long.slice(0, 12), long.slice(0, 12).toUpperCase(), 'talks:T2', undefined];
  const attributes = {
    events: {
      title: fc.constantFrom(...titles),
      date: fc.constantFrom('2030-02-28', '2030-03-01', '2030-03-02', '2030-03-03'),
      time: fc.constantFrom({ start: '18:00' }, { start: '6:00 pm' }, { start: '19:00' }, null),
    },
    accounts: {
      email: fc.constantFrom('a@x.org', 'A@x.org', 'b@x.org', null),
      username: fc.constantFrom('a', 'A', 'b', 'a@x.org', null),
      title: fc.constantFrom(...titles),
    },
  };
  const hidden = fc.constantFrom<Record<string, unknown>>({}, {}, { date: null }, { date: 'soon' }, { time: null });

  test.each<Resource>(['events', 'accounts'])('of %s finds exactly those that the comparison grades so', (resource) => {
    const payload = fc.record<Record<string, unknown>>(attributes[resource]);
    const item = fc
      .tuple(payload, hidden, fc.record({ [MARK]: fc.constantFrom(...ids, undefined, undefined) }))
      .map(([shown, less, mark]) => sightingOf({ ...shown, ...less, ...mark }, resource, MARK));
    const sought = fc.record({
      externalIds: fc.subarray([id, long, 'former:T1']),
      looks: fc.array(
        payload.map((each) => sightingOf(each, resource)),
        { maxLength: 3 },
      ),
    });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), sought, (items, record) => {
        const index = createItemIndex();
        for (const [at, each] of items.entries()) index.add(at, each);
        const longest = Math.max(0, ...items.map(({ externalId }) => externalId?.length ?? 0));
        const compared = items.map((each) => compare(each, record, longest));
        for (const grade of ['id', 'same', 'similar', 'rewritten'] satisfies FoundGrade[]) {
          const expected = [...items.keys()].filter((at) => compared[at] === grade);
          expect(index.idsOf(grade, record).toSorted((one, other) => one - other)).toEqual(expected);
        }
      }),
      { numRuns: rounds(300, 10_000) },
    );
  });
});
