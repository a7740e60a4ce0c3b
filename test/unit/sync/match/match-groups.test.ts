import { describe, expect, test } from 'vitest';
import { matchKey } from '../../../../src/sync/items/values.ts';
import { matchGroup } from '../../../../src/sync/match/match-groups.ts';

describe('Match keys', () => {
  test('A match key does not depend on case, blanks and Unicode form', () => {
    const key = matchKey(['email'], { email: 'jose\u0301@example.edu' });
    expect(matchKey(['email'], { email: '  José@EXAMPLE.edu ' })).toBe(key);
    expect(matchKey(['title'], { title: 'Old \n Maps' })).toBe(matchKey(['title'], { title: 'old maps' }));
    expect(matchKey(['email'], { email: 'jo@example.edu' })).not.toBe(key);
  });

  test('A match key has all of the attributes and parts', () => {
    const attributes = ['title', 'date', 'time.start'];
    const event = { title: 'Maps', date: '2027-03-01', time: { start: '18:00:00', end: '19:00:00' } };
    const key = matchKey(attributes, event);
    expect(matchKey(attributes, { ...event, time: { start: '18:00' } })).toBe(key);
    expect(matchKey(attributes, { ...event, date: '2027-03-02' })).not.toBe(key);
    expect(matchKey(['a', 'b'], { a: 'x y', b: 'z' })).not.toBe(matchKey(['a', 'b'], { a: 'x', b: 'y z' }));
  });

  test('A match key is missing if one attribute is empty', () => {
    expect(matchKey(['email'], {})).toBeUndefined();
    expect(matchKey(['email', 'username'], { email: 'a@example.edu', username: '' })).toBeUndefined();
    expect(matchKey(['time.start'], { time: null })).toBeUndefined();
    expect(matchKey(['isFeatured'], { isFeatured: false })).toBeDefined();
  });
});

describe('Groups', () => {
  const item = (id: number, isForeign = false) => ({ id, isForeign });

  test('A group of one record and one item is a match, and one without items is new', () => {
    expect(matchGroup({ keys: ['a'], items: [item(7)] })).toEqual({ is: 'adopted', id: 7 });
    expect(matchGroup({ keys: ['a', 'b'], items: [] })).toEqual({ is: 'new' });
  });

  test.each([
    [{ keys: ['a'], items: [item(7), item(8)] }, '2 items in the CMS match it (ids 7, 8)'],
    [{ keys: ['a', 'b'], items: [item(7)] }, 'CMS item 7 matches 2 records ("a", "b")'],
    [{ keys: ['a'], items: [item(7, true)] }, 'has the external id of another record'],
    [{ keys: ['a'], items: [1, 2, 3, 4, 5, 6].map((id) => item(id)) }, 'ids 1, 2, 3, 4, 5, …'],
  ])('A group of %j is ambiguous', (group, reason) => {
    expect(matchGroup(group)).toEqual({ is: 'ambiguous', reason: expect.stringContaining(reason) });
  });
});
