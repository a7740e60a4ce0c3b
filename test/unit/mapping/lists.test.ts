import { describe, expect, test } from 'vitest';
import { eventSync, map } from './setup.ts';

describe('Lists', () => {
  const event = { id: '1', title: 'T', start: '2026-03-01' };
  const payloadOf = (field: string, fields: Record<string, unknown>) => {
    const rules = { title: { field: 'title' }, start: { field: 'start' }, place: { field } };
    return map(eventSync({ map: rules }), { ...event, ...fields });
  };

  test.each<[string, string, unknown, string | undefined]>([
    ['a name after a list', 'location.name', [{ name: 'Hall' }, { url: 'u' }, { name: 'Online' }], 'Hall, Online'],
    ['a name that one item has', 'location.name', [{ url: 'u' }, { name: 'Hall' }], 'Hall'],
    ['names after two lists', 'location.rooms.name', [{ rooms: [{ name: 'A' }] }, { rooms: [{ name: 'B' }] }], 'A, B'],
    ['a name of a list in a list', 'location[0].rooms.name', [{ rooms: [{ name: 'A' }, { name: 'B' }] }], 'A, B'],
    ['an index', 'location[1].name', [{ name: 'Hall' }, { name: 'Online' }], 'Online'],
    ['an index of a value that is no list', 'location[0].name', { name: 'Hall' }, 'Hall'],
    ['an index after the names of one item', 'location.name[0]', [{ name: 'Hall' }, { url: 'u' }], 'Hall'],
    ['an index after the names of several', 'location.name[0]', [{ name: 'Hall' }, { name: 'Online' }], 'Hall'],
    ['an index beyond the end', 'location[2].name', [{ name: 'Hall' }], undefined],
    ['an index of an empty list', 'location[0]', [], undefined],
    ['a second item of a value that is no list', 'location[1].name', { name: 'Hall' }, undefined],
    ['an index of a text', 'location[0]', 'Hall', 'Hall'],
    ['an index that is a name', 'location[1]', { 1: 'Hall' }, 'Hall'],
    ['a name that no item has', 'location.name', [{ url: 'u' }, null, [{ name: 'inner' }]], undefined],
  ])('%s is read of each item', (_, field, location, place) => {
    expect(payloadOf(field, { location })).toMatchObject({ record: { payload: place === undefined ? {} : { place } } });
  });

  test.each(['Hall', ['Hall', { url: 'u' }]])(
    'A path that ends at a text has no value, with a warning: %j',
    (location) => {
      expect(payloadOf('location.name', { location })).toMatchObject({
        warnings: [{ message: 'place: "location.name" has no value: the path ends at the text "Hall"' }],
      });
    },
  );

  test.each(['', false, null, {}, []])('A path that ends at %j has no value', (location) => {
    expect(payloadOf('location.name', { location })).toMatchObject({ is: 'desired', warnings: [] });
  });

  test('A list that a path ends at stays a list in a custom attribute', () => {
    expect(payloadOf('tags[0]', { tags: [['a', 'b']] })).toMatchObject({ record: { payload: { place: ['a', 'b'] } } });
  });

  test('One date in a list is a date', () => {
    const fields = { ...event, start: ['2026-03-01', null, '', '2026-03-01'], end: ['2026-03-02'], allDay: [true] };
    expect(map(eventSync(), fields)).toMatchObject({
      record: { payload: { date: '2026-03-01', endDate: '2026-03-02' } },
    });
  });

  test.each([
    [{ end: ['2026-03-01', '2026-03-02'] }, "end: [ '2026-03-01', '2026-03-02' ] has 2 values, but one is needed"],
    [{ allDay: [true, false] }, 'allDay: [ true, false ] has 2 values, but one is needed'],
  ])('Several values where one is needed reject the record: %j', (fields, reason) => {
    const mapped = map(eventSync(), { ...event, ...fields });
    expect(mapped).toMatchObject({ is: 'rejected', rejection: { reason: expect.stringContaining(reason) } });
  });
});
