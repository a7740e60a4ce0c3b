import { describe, expect, test } from 'vitest';
import { event } from '../ical-lines.ts';
import { readLines } from './read-lines.ts';

const timesOf = async (...lines: string[]) => {
  const { fields, rejections, warnings } = await readLines(event('UID:x', ...lines));
  return { times: fields.map(({ start, end, allDay }) => [start, end, allDay]), rejections, warnings };
};

describe('A time may be written', () => {
  test.each([
    ['with an offset', '20260824T154000-0500', '2026-08-24T15:40:00-05:00[-05:00]'],
    ['with an offset in hours', '20260824T154000+02', '2026-08-24T15:40:00+02:00[+02:00]'],
    ['with an offset and a colon', '20260824T154000+00:00', '2026-08-24T15:40:00+00:00[UTC]'],
    ['as ISO 8601', '2026-08-24T15:40:00', '2026-08-24T15:40:00-04:00[America/New_York]'],
    ['as ISO 8601 in UTC', '2026-08-24T15:40:00Z', '2026-08-24T15:40:00+00:00[UTC]'],
    ['as ISO 8601 with an offset', '2026-08-24T15:40:00.000+05:30', '2026-08-24T15:40:00+05:30[+05:30]'],
    ['with a blank instead of the T', '2026-08-24 15:40', '2026-08-24T15:40:00-04:00[America/New_York]'],
    ['without seconds', '20260824T1540', '2026-08-24T15:40:00-04:00[America/New_York]'],
    ['without seconds in UTC', '20260824T1540Z', '2026-08-24T15:40:00+00:00[UTC]'],
    ['as the end of a day', '20260824T240000', '2026-08-25T00:00:00-04:00[America/New_York]'],
    ['in a leap second', '20260824T235960Z', '2026-08-24T23:59:59+00:00[UTC]'],
  ])('%s: %s', async (_, written, start) => {
    expect(await timesOf(`DTSTART:${written}`)).toEqual({
      times: [[start, start, false]],
      rejections: [],
      warnings: [],
    });
  });

  test('with an offset beside a TZID, which is its zone', async () => {
    const { times } = await timesOf('DTSTART;TZID=Europe/Berlin:20260824T154000-0500');
    expect(times[0]?.[0]).toBe('2026-08-24T22:40:00+02:00[Europe/Berlin]');
  });

  test.each(['2026-08-24', '20260824Z'])('and a day as %s', async (written) => {
    expect((await timesOf(`DTSTART;VALUE=DATE:${written}`)).times).toEqual([['2026-08-24', '2026-08-24', true]]);
  });

  test.each(['2026-0824', '20260824T', '20260824T25', '20260824T154000+2500', '20260824T154000X', '24.08.2026'])(
    'but not as %s',
    async (written) => {
      expect((await timesOf(`DTSTART:${written}`)).rejections).toMatchObject([{ code: 'FF_RECORD_DATE' }]);
    },
  );
});

describe('VALUE=DATE makes whole days of', () => {
  test.each([
    ['UTC', ['DTSTART;VALUE=DATE:20261222T000000Z', 'DTEND;VALUE=DATE:20261228T000000Z'], '2026-12-27'],
    ['a time without a zone', ['DTSTART;VALUE=DATE:20261222T000000'], '2026-12-22'],
    ['a zone', ['DTSTART;VALUE=DATE;TZID=Europe/Berlin:20261222T000000', 'DURATION:P2D'], '2026-12-23'],
    [
      'midnight of the source',
      ['DTSTART;VALUE=DATE:20261222T050000Z', 'DTEND;VALUE=DATE:20261224T050000Z'],
      '2026-12-23',
    ],
    ['an end that is a day', ['DTSTART;VALUE=DATE:20261222T000000Z', 'DTEND;VALUE=DATE:20261224'], '2026-12-23'],
    [
      'an end before midnight',
      ['DTSTART;VALUE=date:20261222T000000', 'DTEND;VALUE=DATE:20261223T235959'],
      '2026-12-23',
    ],
    ['another end', ['DTSTART;VALUE=DATE:20261222T000000Z', 'DURATION:PT24H'], '2026-12-22'],
  ])('%s', async (_, lines, last) => {
    expect(await timesOf(...lines)).toEqual({ times: [['2026-12-22', last, true]], rejections: [], warnings: [] });
  });

  test('any other time, with a warning', async () => {
    expect(await timesOf('DTSTART;VALUE=DATE:20261222T093000', 'DTEND;VALUE=DATE:20261222T113000')).toEqual({
      times: [['2026-12-22', '2026-12-22', true]],
      rejections: [],
      warnings: ['DTSTART is a day by its VALUE=DATE; the time in "20261222T093000" is ignored'],
    });
  });

  test('a time of day that start and end share: the end is the day after the last', async () => {
    const { times } = await timesOf('DTSTART;VALUE=DATE:20261222T090000', 'DTEND;VALUE=DATE:20261223T090000');
    expect(times).toEqual([['2026-12-22', '2026-12-22', true]]);
  });

  test('series, with exceptions and changes written in the same way', async () => {
    const day = (name: string, date: number) => `${name};VALUE=DATE:202612${date}T000000Z`;
    const { fields } = await readLines([
      ...event('UID:x', day('DTSTART', 22), 'RRULE:FREQ=DAILY;COUNT=4;UNTIL=20261224T000000Z', day('EXDATE', 23)),
      ...event('UID:x', day('RECURRENCE-ID', 24), day('DTSTART', 28), 'SUMMARY:moved'),
    ]);
    expect(fields.map(({ uid, start }) => [uid, start])).toEqual([
      ['x/20261222', '2026-12-22'],
      ['x/20261224', '2026-12-28'],
    ]);
  });
});

describe('A day and a time as start and end are read:', () => {
  const warning = 'DTSTART is a date, but DTEND a time';
  test.each([
    ['the day of the end is included, with a warning', 'DTEND:20260702T120000', [warning]],
    ['UTC is read on the clock of the source, with a warning', 'DTEND:20260703T013000Z', [warning]],
    ['a midnight is a day', 'DTEND:20260703T000000', []],
    ['a midnight of the source is a day', 'DTEND:20260703T040000Z', []],
  ])('%s', async (_, end, expected) => {
    const { times, warnings } = await timesOf('DTSTART;VALUE=DATE:20260701', end);
    expect(times).toEqual([['2026-07-01', '2026-07-02', true]]);
    expect(warnings).toEqual(expected);
  });

  test('a time ends at the midnight before the day, with a warning', async () => {
    const { times, warnings } = await timesOf('DTSTART:20260701T100000', 'DTEND;VALUE=DATE:20260702');
    expect(times[0]?.[1]).toBe('2026-07-02T00:00:00-04:00[America/New_York]');
    expect(warnings).toEqual(['DTSTART is a time, but DTEND a date']);
  });
});
