import { describe, expect, test } from 'vitest';
import type { Payload } from '../../../../src/core/record.ts';
import { compareEvents, eventHash, type MatchRule } from '../../../../src/sync/merge/same-event.ts';

const concert: Payload = {
  title: 'Requiem',
  date: '2031-03-01',
  time: { start: '19:00:00', end: '21:00:00', type: 'timed' },
  location: 'Main Hall',
};
const wholeDay = { start: '00:00:00', end: '23:59:59', type: 'timed' };
const places: MatchRule = { places: ['location'] };

function compare(other: Payload, rule: MatchRule = places, occurrences: [object?, object?] = []) {
  const [first, second] = occurrences as [{ series: string; slot: string }?, { series: string; slot: string }?];
  const one = { key: 'central/1', payload: concert, ...(first && { occurrence: first }) };
  const two = { key: 'music/7', payload: { ...concert, ...other }, ...(second && { occurrence: second }) };
  if (eventHash(one.payload, rule) !== eventHash(two.payload, rule)) return 'different';
  const [result, reverse] = [compareEvents(one, two, rule), compareEvents(two, one, rule)];
  // The order does not matter.
  expect(result).toEqual(reverse);
  return result.is === 'unsure' ? result.why : result.is;
}

describe('Two events of different sources', () => {
  test.each<[Payload, string]>([
    [{}, 'same'],
    [{ title: 'REQUIEM' }, 'same'],
    [{ title: ' Re&#113;uiem ' }, 'same'],
    [{ title: '<b>Requiem</b>' }, 'same'],
    [{ title: 'Requiem!' }, 'same'],
    [{ title: 'Requiem 1' }, 'different'],
    [{ date: '2031-03-02' }, 'different'],
    [{ time: { start: '20:00:00', end: '21:00:00' } }, 'different'],
    [{ time: { start: '19:00:00', end: '22:00:00' } }, 'same'],
    [{ time: wholeDay }, 'allDay'],
    [{ location: 'main  hall' }, 'same'],
    [{ location: 'Great Hall' }, 'places'],
    [{ location: '' }, 'noPlace'],
    [{ location: null }, 'noPlace'],
    [{ description: 'Another text' }, 'same'],
  ])('%j: %s', (other, expected) => {
    expect(compare(other)).toBe(expected);
  });

  test.each([
    ['Version 1.5', 'Version 15'],
    ['C++', 'C'],
    ['C#', 'C'],
    ['Tom & Jerry', 'Tom Jerry 2'],
    ['Café', 'Cafe'],
    ['Level-2', 'Level2'],
  ])('"%s" is not "%s"', (one, other) => {
    expect(eventHash({ title: one, date: '2031-03-01' }, places)).not.toBe(
      eventHash({ title: other, date: '2031-03-01' }, places),
    );
  });

  test('Places do not matter if no source has one', () => {
    const { location: _, ...without } = concert;
    const rule: MatchRule = { places: [] };
    expect(compareEvents({ key: 'a/1', payload: without }, { key: 'b/1', payload: without }, rule)).toEqual({
      is: 'same',
    });
    // An attribute that no map names, as that of a map function, still is a place.
    expect(compare({ location: 'Great Hall' }, rule)).toBe('places');
  });

  test('A series and single events are one question', () => {
    const series = { series: 'S', slot: '2031-03-01T19:00:00', repeats: true as const };
    const single = { series: 'T', slot: '2031-03-01T19:00:00' };
    const weekly = (slot: string, key: string) =>
      compareEvents(
        { key: 'central/1', payload: concert, occurrence: { series: 'S', slot, repeats: true } },
        { key, payload: concert },
        places,
      );
    expect(compare({}, places, [series])).toBe('series');
    expect(compare({}, places, [series, single])).toBe('series');
    expect(compare({}, places, [single])).toBe('same');
    expect(compare({}, places, [series, series])).toBe('same');
    expect(weekly('2031-03-01T19:00:00', 'music/7')).toEqual(weekly('2031-03-08T19:00:00', 'music/8'));
    expect(weekly('2031-03-01T19:00:00', 'music/7')).not.toEqual(weekly('2031-03-01T19:00:00', 'library/7'));
  });

  test('The attributes that a config names are the word of its user', () => {
    const rule: MatchRule = { match: ['title', 'date', 'time.start', 'room'], places: ['location'] };
    expect(compare({ location: 'Great Hall' }, rule)).toBe('same');
    expect(compare({ room: '2' }, rule)).toBe('different');
    expect(compare({ time: wholeDay }, rule)).toBe('different');
  });

  test('One answer holds for a pair of places, whichever is named first', () => {
    const at = (key: string, location: string) => ({ key, payload: { ...concert, location } });
    const [one, other] = [
      compareEvents(at('a/1', 'Main Hall'), at('b/1', 'Great Hall'), places),
      compareEvents(at('a/2', 'GREAT hall'), at('b/2', 'main-hall'), places),
    ];
    expect(one).toEqual(other);
    // A missing place says nothing about other events.
    expect(compareEvents(at('a/1', ''), at('b/1', 'Hall'), places)).not.toEqual(
      compareEvents(at('a/2', ''), at('b/2', 'Hall'), places),
    );
  });
});
