import { describe, expect, test } from 'vitest';
import { eventSync, map, payload, rejection, warnings } from './setup.ts';

const names = ['title', 'date', 'endDate', 'time.start', 'time.end', 'allDay', 'start', 'end'];
const sync = eventSync({ map: Object.fromEntries(names.map((name) => [name, { field: name }])) });

function span(fields: Record<string, unknown>, parts = {}, rules = sync): string {
  const { date, endDate, time } = payload(rules, { id: '1', title: 'Club', ...fields }, parts) as {
    date: string;
    endDate: string;
    time: { start: string; end: string };
  };
  return `${date} ${time.start} – ${endDate} ${time.end}`;
}

const said = (fields: Record<string, unknown>) => warnings(sync, { id: '1', title: 'Club', ...fields });

describe('An event with times, and no date of its end', () => {
  test.each([
    ['22:00', '02:00', '2026-05-01 22:00:00 – 2026-05-02 02:00:00'],
    ['23:59', '00:01', '2026-05-01 23:59:00 – 2026-05-02 00:01:00'],
    ['20:00', '08:00', '2026-05-01 20:00:00 – 2026-05-02 08:00:00'],
    ['10 pm', '2 am', '2026-05-01 22:00:00 – 2026-05-02 02:00:00'],
    ['20:00', '00:00', '2026-05-01 20:00:00 – 2026-05-01 23:59:59'],
    ['09:00', '00:00', '2026-05-01 09:00:00 – 2026-05-01 23:59:59'],
    ['20:00', '24:00', '2026-05-01 20:00:00 – 2026-05-01 23:59:59'],
    ['20:00', '24:00:00', '2026-05-01 20:00:00 – 2026-05-01 23:59:59'],
    ['8 pm', '12 am', '2026-05-01 20:00:00 – 2026-05-01 23:59:59'],
    ['00:00', '24:00', '2026-05-01 00:00:00 – 2026-05-01 23:59:59'],
    ['00:00', '00:00', '2026-05-01 00:00:00 – 2026-05-01 23:59:59'],
    ['10:00', '10:00', '2026-05-01 10:00:00 – 2026-05-01 10:00:00'],
    ['24:00', '02:00', '2026-05-02 00:00:00 – 2026-05-02 02:00:00'],
  ])('from %s to %s is read without a warning', (start, end, expected) => {
    const fields = { date: '2026-05-01', 'time.start': start, 'time.end': end };
    expect(span(fields)).toBe(expected);
    expect(said(fields)).toEqual([]);
  });

  test.each([
    ['11:00', '01:00'],
    ['10:00', '09:00'],
    ['18:00', '06:01'],
  ])('from %s to %s ends when it starts, with a warning', (start, end) => {
    const fields = { date: '2026-05-01', 'time.start': start, 'time.end': end };
    expect(span(fields)).toBe(`2026-05-01 ${start}:00 – 2026-05-01 ${start}:00`);
    expect(said(fields)).toMatchObject([{ message: expect.stringContaining('is before the start') }]);
  });

  test('is all day if the source says so', () => {
    const fields = { date: '2026-05-01', 'time.start': '22:00', 'time.end': '02:00', allDay: 'yes' };
    expect(span(fields)).toBe('2026-05-01 00:00:00 – 2026-05-01 23:59:59');
  });

  test('is in a window that has only its second day', () => {
    const windowed = { ...sync, window: { pastDays: 0, futureDays: 5 } };
    const fields = { id: '1', title: 'Club', date: '2026-05-01', 'time.start': '22:00', 'time.end': '02:00' };
    const parts = { siteTimezone: 'UTC', now: () => Date.UTC(2026, 4, 2, 1) };
    expect(map(eventSync(windowed), fields, parts).is).toBe('desired');
  });
});

describe('An end that the source writes with a date', () => {
  test.each([
    ['2026-05-01T22:00', '2026-05-01T02:00', '2026-05-01 22:00:00 – 2026-05-02 02:00:00'],
    ['2026-05-01T20:00', '2026-05-01T00:00', '2026-05-01 20:00:00 – 2026-05-01 23:59:59'],
    ['2026-05-01T22:00+02:00', '2026-05-01T02:00+02:00', '2026-05-01 16:00:00 – 2026-05-01 20:00:00'],
    ['2026-05-01T09:00+02:00', '2026-05-01T00:00+02:00', '2026-05-01 03:00:00 – 2026-05-01 18:00:00'],
    ['2026-03-07T22:00', '2026-03-07T03:30', '2026-03-07 22:00:00 – 2026-03-08 03:30:00'],
  ])('from %s to %s is on the next day, with a warning', (start, end, expected) => {
    expect(span({ start, end })).toBe(expected);
    expect(said({ start, end })).toMatchObject([{ message: expect.stringContaining('on the same day') }]);
  });

  test('is on the next day if both columns have the same date, with a warning', () => {
    const fields = { date: '2026-05-01', endDate: '2026-05-01', 'time.start': '22:00', 'time.end': '02:00' };
    expect(span(fields)).toBe('2026-05-01 22:00:00 – 2026-05-02 02:00:00');
    expect(said(fields).map(({ message }) => message)).toEqual([
      'end: 02:00:00 is before the start, 22:00:00, on the same day; the event is set to end on 2026-05-02',
    ]);
  });

  test.each([
    [{ date: '2026-05-01', endDate: '2026-05-02', 'time.start': '22:00', 'time.end': '02:00' }, '2026-05-02 02:00:00'],
    [{ date: '2026-05-01', endDate: '2026-05-02', 'time.start': '22:00', 'time.end': '24:00' }, '2026-05-02 23:59:59'],
    [{ start: '2026-05-01T20:00', end: '2026-05-01T24:00' }, '2026-05-01 23:59:59'],
    [{ start: '2026-05-01T20:00', end: '2026-05-02T24:00:00' }, '2026-05-02 23:59:59'],
    [{ start: '2026-05-01T20:00', end: '2026-05-03T02:00' }, '2026-05-03 02:00:00'],
  ])('stays: %j', (fields, end) => {
    expect(span(fields)).toMatch(new RegExp(`– ${end}$`));
    expect(said(fields)).toEqual([]);
  });

  test('a day or more before the start is set to the start', () => {
    const fields = { date: '2026-05-02', endDate: '2026-05-01', 'time.start': '02:00', 'time.end': '22:00' };
    expect(span(fields)).toBe('2026-05-02 02:00:00 – 2026-05-02 02:00:00');
    expect(said(fields)).toHaveLength(1);
  });
});

describe('A time of day', () => {
  test('may be 24:00 in a format', () => {
    const rules = eventSync({
      map: { title: { field: 'title' }, start: { field: 'start', format: ['dd.MM.yyyy HH:mm'] } },
    });
    expect(span({ start: '01.05.2026 24:00' }, {}, rules)).toContain(' 00:00:00 – ');
  });

  test('as a word can be replaced by a time', () => {
    const template = '{{ from | replace: "noon", "12:00 pm" }}';
    const rules = eventSync({
      map: { title: { field: 'title' }, date: { field: 'date' }, 'time.start': { template } },
    });
    expect(span({ date: '2026-05-01', from: 'noon' }, {}, rules)).toContain('2026-05-01 12:00:00 – ');
  });

  test.each(['noon', 'midnight', 'afternoon', '1 noon', '24:30', '12'])('is not %s', (start) => {
    const fields = { id: '1', title: 'Club', date: '2026-05-01', 'time.start': start };
    expect(rejection(sync, fields).reason).toContain('is not a time');
  });
});
