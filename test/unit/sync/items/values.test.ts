import { describe, expect, test } from 'vitest';
import { type Json, UNKNOWN } from '../../../../src/core/record.ts';
import {
  hasValue,
  isAsSent,
  isEmpty,
  matchKey,
  partsLike,
  sameValue,
  valueAt,
} from '../../../../src/sync/items/values.ts';

describe('The comparison of values', () => {
  test.each<[Json, Json]>([
    ['18:00', '18:00:00'],
    [null, ''],
    [{ start: '18:00', end: null }, { start: '18:00:00' }],
    [{ start: '', end: null }, null],
    [[], null],
    ['one\r\ntwo', 'one\ntwo'],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ])('The value %j equals %j', (one, other) => {
    expect(sameValue(one, other)).toBe(true);
    expect(sameValue(other, one)).toBe(true);
  });

  test.each<[Json, Json]>([
    ['18:00', '18:01:00'],
    [false, null],
    [0, ''],
    ['a', 'A'],
    ['a ', 'a'],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    ['25:00', '25:00:00'],
  ])('The value %j differs from %j', (one, other) => {
    expect(sameValue(one, other)).toBe(false);
  });
});

test('The values false and 0 are values, and empty ones are not', () => {
  expect([false, 0, 'x', [null]].map(isEmpty)).toEqual([false, false, false, false]);
  const empty: Json[] = [null, '', [], {}, { start: '' }];
  expect(empty.map(isEmpty)).toEqual([true, true, true, true, true]);
});

test('Only the sent parts of an object are compared', () => {
  const live = { start: '18:00:00', end: null, isAllDay: false };
  expect(partsLike(live, { start: '18:00', type: 'timed' })).toEqual({ start: '18:00:00', type: null });
  expect(partsLike(live, 'text')).toEqual(live);
  expect(partsLike('text', { start: '' })).toBe('text');
});

test('A value is found by its attribute, or by a part of one', () => {
  const item = { time: { start: '18:00:00' }, 'my.key': 1, title: 'A' };
  expect(valueAt(item, 'time.start')).toBe('18:00:00');
  expect(valueAt(item, 'my.key')).toBe(1);
  expect(['time.end', 'title.start', 'none', 'constructor', 'none.at.all'].map((path) => valueAt(item, path))).toEqual(
    Array(5).fill(null),
  );
});

test.each<[Json, Json, boolean]>([
  ['18:00:00', '18:00', true],
  [{ start: '18:00:00', end: null, isAllDay: false }, { start: '18:00' }, true],
  [false, null, true],
  [null, false, true],
  [null, { start: '' }, true],
  [true, null, false],
  [false, true, false],
  ['A', 'B', false],
  [{ start: '18:00:00' }, { start: '19:00' }, false],
])('An item that shows %j has %j: %s', (shown, value, expected) => {
  expect(hasValue({ a: shown }, 'a', value)).toBe(expected);
});

test('An item is as it was sent if it has the value, or what the CMS made of it', () => {
  const known = { delivered: { text: 'a', flag: null }, madeByCms: { text: '<p>a</p>' } };
  const isIt = (shown: Json, sent: Json) => isAsSent({ text: shown }, 'text', sent, known);
  expect([isIt('a', 'a'), isIt('<p>a</p>', 'a'), isIt('anything', UNKNOWN)]).toEqual([true, true, true]);
  expect([isIt('b', 'a'), isIt('<p>a</p>', 'b')]).toEqual([false, false]);
  expect(isAsSent({ flag: false }, 'flag', null, known)).toBe(true);
});

test.each([
  ['Ada@Example.edu', ' ada@example.edu'],
  ['R&amp;D <b>day</b>', 'r&d  DAY'],
  ['18:00', '18:00:00'],
])('Records and items with %j and %j are compared as equal', (one, other) => {
  expect(matchKey(['a'], { a: one })).toBe(matchKey(['a'], { a: other }));
});
