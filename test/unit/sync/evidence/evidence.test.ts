import { describe, expect, test } from 'vitest';
import { ignoredAttributes } from '../../../../src/core/ignored-attributes.ts';
import type { Payload } from '../../../../src/core/record.ts';
import { judge, lostAttributes } from '../../../../src/sync/evidence/evidence.ts';

interface Case {
  sent: Payload;
  before?: Payload;
  item: Payload;
  /** What was delivered before, and what the CMS made of it. */
  delivered?: Payload;
  made?: Payload;
  /** Attributes that the CMS is known to rewrite. */
  rewrites?: string[];
}

const evidenceOf = ({ sent, before = {}, item, delivered = before, made = {}, rewrites = [] }: Case) =>
  Object.fromEntries(
    judge(sent, item, { before, delivered, madeByCms: made, rewrites: (path) => rewrites.includes(path) }),
  );

const long = 'A lecture on the history of maps in the age of sail';

describe('The evidence of an answer', () => {
  test.each<[string, Case, Record<string, string>]>([
    ['the value sent', { sent: { title: 'B' }, before: { title: 'A' }, item: { title: 'B' } }, { title: 'taken' }],
    [
      'the value from before',
      { sent: { title: 'B' }, before: { title: 'A' }, item: { title: 'A' } },
      { title: 'notTaken' },
    ],
    ['another value', { sent: { title: 'B' }, before: { title: 'A' }, item: { title: 'b' } }, { title: 'rewritten' }],
    ['no value instead of one', { sent: { title: 'B' }, before: { title: 'A' }, item: {} }, { title: 'notTaken' }],
    ['no value, as before', { sent: { place: 'B' }, item: { place: '' } }, { place: 'absent' }],
    ['a default of the CMS', { sent: { place: 'B' }, item: { place: 'Here' } }, { place: 'rewritten' }],
    ['an empty value that was not sent', { sent: { place: '' }, before: { place: 'A' }, item: {} }, { place: 'taken' }],
    [
      'a value that was to be cleared',
      { sent: { place: null }, before: { place: 'A' }, item: { place: 'A' } },
      { place: 'notTaken' },
    ],
    ['an empty list', { sent: { tags: [] }, before: { tags: ['a'] }, item: { tags: null } }, { tags: 'taken' }],
    ['a list in another order', { sent: { tags: ['a', 'b'] }, item: { tags: ['b', 'a'] } }, { tags: 'rewritten' }],
    [
      'a flag that is not shown',
      { sent: { repeats: false }, before: { repeats: true }, item: {} },
      { repeats: 'taken' },
    ],
    [
      'a flag that was cleared',
      { sent: { repeats: null }, before: { repeats: true }, item: { repeats: false } },
      { repeats: 'taken' },
    ],
    [
      'a flag that stays',
      { sent: { repeats: true }, before: { repeats: false }, item: { repeats: false } },
      { repeats: 'absent' },
    ],
    [
      'a flag that stays set',
      { sent: { repeats: false }, before: { repeats: true }, item: { repeats: true } },
      { repeats: 'notTaken' },
    ],
    [
      'one part of two',
      {
        sent: { time: { start: '11:00:00', end: '12:00:00' } },
        before: { time: { start: '09:00:00', end: '10:00:00', isAllDay: false } },
        item: { time: { start: '11:00', end: '10:00:00', isAllDay: false } },
      },
      { 'time.start': 'taken', 'time.end': 'notTaken' },
    ],
    [
      'whole days without times',
      {
        sent: { time: { start: '00:00:00', end: '23:59:59' } },
        before: { time: { start: '09:00:00', end: '10:00:00' } },
        item: { time: { start: '', end: '' } },
      },
      { 'time.start': 'rewritten', 'time.end': 'rewritten' },
    ],
    [
      'no object at all',
      { sent: { time: { start: '09:00:00', type: null } }, item: { time: null } },
      { 'time.start': 'absent', 'time.type': 'taken' },
    ],
    [
      'a file',
      { sent: { image: { src: '/b' } }, before: { image: { src: '/a' } }, item: { image: { src: '/b', alt: '' } } },
      { image: 'taken' },
    ],
    [
      'the former file',
      { sent: { image: { src: '/b' } }, before: { image: { src: '/a' } }, item: { image: { src: '/a', alt: 'x' } } },
      { image: 'notTaken' },
    ],
    ['a file as its path', { sent: { image: { src: '/b' } }, item: { image: '/b' } }, { image: 'rewritten' }],
  ])('%s', (_name, each, expected) => {
    expect(evidenceOf(each)).toEqual(expected);
  });

  test.each<[string, Case, string]>([
    [
      'what it made of the same value',
      {
        sent: { title: 'A "B"' },
        before: { title: 'A “B”' },
        delivered: { title: 'A "B"' },
        made: { title: 'A “B”' },
        item: { title: 'A “B”' },
      },
      'rewritten',
    ],
    [
      'the same text with entities, if it is known to write them',
      { sent: { title: 'A & B' }, before: { title: 'A &amp; B' }, item: { title: 'A &amp; B' }, rewrites: ['title'] },
      'rewritten',
    ],
    [
      'the same text with entities, if it has never done so',
      { sent: { title: 'A & B' }, before: { title: 'A &amp; B' }, item: { title: 'A &amp; B' } },
      'notTaken',
    ],
    [
      'the text from before, although it writes entities',
      {
        sent: { title: 'A & B!' },
        before: { title: 'A &amp; B' },
        delivered: { title: 'A & B' },
        made: { title: 'A &amp; B' },
        item: { title: 'A &amp; B' },
      },
      'notTaken',
    ],
    [
      'the beginning at which it has cut before',
      {
        sent: { title: `${long}, 2` },
        before: { title: long.slice(0, 20) },
        delivered: { title: long },
        made: { title: long.slice(0, 20) },
        item: { title: long.slice(0, 20) },
      },
      'rewritten',
    ],
    [
      'the beginning, but it has never cut',
      { sent: { title: `${long}, 2` }, before: { title: long }, item: { title: long }, rewrites: ['title'] },
      'notTaken',
    ],
  ])('The value from before is %s', (_name, each, expected) => {
    expect(evidenceOf(each).title).toBe(expected);
  });
});

test('Attributes are lost that were not sent, and had a value', () => {
  const before = { title: 'A', place: 'Hall', repeats: false, time: { start: '09:00:00', end: '' }, text: 'x' };
  const item = { title: '', repeats: false, time: { start: '', end: '', isNoTime: true }, text: 'x' };
  expect(lostAttributes(before, { title: 'B' }, item)).toEqual(['place', 'time']);
});

test.each<[string, Payload, Payload, Payload, string[]]>([
  ['a part of a part', { a: { b: { c: 1, d: 2 } } }, {}, { a: { b: { c: 1 } } }, ['a']],
  ['the last of a list', { a: ['x', 'y'] }, {}, { a: ['x'] }, ['a']],
  ['a part of an entry', { a: [{ b: 1, c: 2 }] }, {}, { a: [{ b: 1 }] }, ['a']],
  ['another value', { a: 'x', b: ['x'], c: { d: 1 } }, {}, { a: 'y', b: ['y'], c: 'z' }, []],
  ['a flag of several days, as the days change', { showOnAllDates: true }, { date: '2027-03-01' }, {}, []],
  ['a flag of several days, as the title changes', { showOnAllDates: true }, { title: 'B' }, {}, ['showOnAllDates']],
])('Whether something is lost: %s', (_name, before, sent, item, expected) => {
  expect(lostAttributes(before, sent, item)).toEqual(expected);
});

test('A text is not taken that shows what the CMS has made of the one that an earlier request in doubt has sent', () => {
  const former = { before: { text: 'A' }, delivered: { text: 'A' }, madeByCms: {}, rewrites: () => true };
  const sent = { text: 'C' };
  const shows = (text: string) => judge(sent, { text }, { ...former, inDoubt: [{ text: 'B' }] }).get('text');
  expect(shows('<p>B</p>')).toBe('notTaken');
  expect(shows('<p>C</p>')).toBe('rewritten');
});

test('Attributes are ignored that were delivered with a value, and of which the CMS made none', () => {
  const delivered = {
    location: 'Hall',
    time: { start: '00:00:00', end: '10:00:00' },
    repeats: false,
    image: { src: '/a' },
  };
  const made = { location: null, time: { start: null, end: null }, repeats: null, image: null, title: null };
  expect(ignoredAttributes(delivered, made)).toEqual(['location', 'time.end', 'image']);
});
