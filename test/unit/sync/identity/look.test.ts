import { expect, test } from 'vitest';
import type { Payload } from '../../../../src/core/record.ts';
import { createLookIndex, lookHash, lookOf } from '../../../../src/sync/identity/look.ts';

const event: Payload = { title: 'Story time', date: '2027-03-01', time: { start: '10:00:00' } };
const isLike = (one: Payload, other: Payload, resource: 'events' | 'accounts' = 'events') => {
  const index = createLookIndex();
  index.add({ look: lookOf(other, resource) });
  return index.like(lookOf(one, resource)).length > 0;
};

test.each<[boolean, Payload]>([
  [true, {}],
  [true, { title: 'STORY-TIME!' }],
  [true, { time: { start: '10:00 a.m.' } }],
  [true, { time: { type: 'timed' } }],
  [true, { description: 'Another text', source_key: 'other:1' }],
  [false, { title: 'Story times' }],
  [false, { date: '2027-03-02' }],
  [false, { time: { start: '11:00' } }],
  [false, { title: '' }],
])('An event is alike: %s, with %j', (expected, more) => {
  expect(isLike(event, { ...event, ...more })).toBe(expected);
});

test.each<[boolean, Payload, Payload]>([
  [true, { location: 'Main library' }, {}],
  [true, { location: 'Main library' }, { venue: 'North library' }],
  [true, { location: 'Main hall' }, { location: 'MAIN HALL, second floor' }],
  [true, { location: '<b>Main</b>&nbsp;hall' }, { location: 'Hall (main)' }],
  [true, { eventUrl: 'https://a.example/1' }, { eventUrl: 'https://b.example/2' }],
  [true, { department: 'Arts' }, { department: 'Music' }],
  [false, { location: 'Main library' }, { location: 'North library' }],
  [false, { location: 'Library', roomName: 'Room 1' }, { location: 'Library', roomName: 'Room 2' }],
  [false, { place: { name: 'Park', zip: 1 } }, { place: { name: 'Park', zip: 2 } }],
  [false, { gebäude: 'Aula' }, { gebäude: 'Mensa' }],
])('Two places are the same event: %s, with %j and %j', (expected, one, other) => {
  expect(isLike({ ...event, ...one }, { ...event, ...other })).toBe(expected);
});

test('Accounts are alike by either name', () => {
  const ada = { email: 'ada@example.edu', username: 'ada' };
  expect(isLike(ada, { email: 'ADA@example.edu', username: 'other' }, 'accounts')).toBe(true);
  expect(isLike(ada, { email: 'other@example.edu', username: 'ada' }, 'accounts')).toBe(true);
  expect(isLike(ada, { email: 'eve@example.edu', username: 'eve', city: 'Ada' }, 'accounts')).toBe(false);
  expect(isLike({}, {}, 'accounts')).toBe(false);
});

test('An answer ends when what looks alike changes, and not with a text', () => {
  const hash = (more: Payload) => lookHash(lookOf({ ...event, ...more }, 'events'));
  expect(hash({ description: 'x', title: 'Story  Time' })).toBe(hash({}));
  const changed: Payload[] = [
    {},
    { title: 'Other' },
    { date: '2027-03-02' },
    { time: { start: '11:00' } },
    { location: 'Hall' },
  ];
  expect(new Set(changed.map(hash)).size).toBe(changed.length);
});
