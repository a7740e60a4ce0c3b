import { describe, expect, test } from 'vitest';
import { eventSync, map, payload, rejection, warnings } from './setup.ts';

const sync = eventSync();
const talk = { id: '1', title: 'Talk' };

/** "date start – endDate end" of the event that these fields make. */
function span(fields: Record<string, unknown>, parts = {}, rules = sync): string {
  const { date, endDate, time } = payload(rules, { ...talk, ...fields }, parts) as {
    date: string;
    endDate: string;
    time: { start: string; end: string };
  };
  return `${date} ${time.start} – ${endDate} ${time.end}`;
}

describe('The attributes start, end and allDay', () => {
  test.each([
    [
      'a local date-time',
      { start: '2026-03-01T19:00', end: '2026-03-01T21:30:15' },
      '2026-03-01 19:00:00 – 2026-03-01 21:30:15',
    ],
    ['a blank instead of T', { start: '2026-03-01 19:00' }, '2026-03-01 19:00:00 – 2026-03-01 19:00:00'],
    ['UTC', { start: '2026-03-02T00:30:00Z' }, '2026-03-01 19:30:00 – 2026-03-01 19:30:00'],
    ['an offset', { start: '2026-03-01T19:00:00+01:00' }, '2026-03-01 13:00:00 – 2026-03-01 13:00:00'],
    ['RFC 9557', { start: '2026-07-01T19:00:00+02:00[Europe/Berlin]' }, '2026-07-01 13:00:00 – 2026-07-01 13:00:00'],
    [
      'RFC 9557 without offset',
      { start: '2026-07-01T19:00[Europe/Berlin]' },
      '2026-07-01 13:00:00 – 2026-07-01 13:00:00',
    ],
    ['the spring gap', { start: '2026-03-08T02:30' }, '2026-03-08 03:30:00 – 2026-03-08 03:30:00'],
    [
      'the autumn hour: the first',
      { start: '2026-11-01T01:30', end: '2026-11-01T06:30Z' },
      '2026-11-01 01:30:00 – 2026-11-01 01:30:00',
    ],
    [
      'several days',
      { start: '2026-03-01T19:00', end: '2026-03-03T01:00' },
      '2026-03-01 19:00:00 – 2026-03-03 01:00:00',
    ],
    [
      'an end at midnight',
      { start: '2026-03-01T19:00', end: '2026-03-02T00:00' },
      '2026-03-01 19:00:00 – 2026-03-01 23:59:59',
    ],
    [
      'midnight as both ends',
      { start: '2026-03-01T00:00', end: '2026-03-01T00:00' },
      '2026-03-01 00:00:00 – 2026-03-01 23:59:59',
    ],
    ['a day', { start: '2026-03-01' }, '2026-03-01 00:00:00 – 2026-03-01 23:59:59'],
    [
      'days, the end inclusive',
      { start: '2026-03-01', end: '2026-03-03' },
      '2026-03-01 00:00:00 – 2026-03-03 23:59:59',
    ],
    [
      'a time, then a day',
      { start: '2026-03-01T10:00', end: '2026-03-02' },
      '2026-03-01 10:00:00 – 2026-03-02 10:00:00',
    ],
    [
      'a day, then a time',
      { start: '2026-03-01', end: '2026-03-02T10:00' },
      '2026-03-01 00:00:00 – 2026-03-02 10:00:00',
    ],
    [
      'allDay keeps the written day',
      { start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z', allDay: true },
      '2026-03-01 00:00:00 – 2026-03-01 23:59:59',
    ],
    [
      'allDay at midnight of the site, written in UTC',
      { start: '2026-03-01T05:00:00Z', end: '2026-03-03T05:00:00Z', allDay: true },
      '2026-03-01 00:00:00 – 2026-03-02 23:59:59',
    ],
    ['allDay as a word', { start: '2026-03-01T09:00', allDay: 'yes' }, '2026-03-01 00:00:00 – 2026-03-01 23:59:59'],
    ['an empty end', { start: '2026-03-01T09:00', end: '', allDay: '' }, '2026-03-01 09:00:00 – 2026-03-01 09:00:00'],
  ])('The time of an event is read correctly: %s', (_name, fields, expected) => {
    expect(span(fields)).toBe(expected);
  });

  test('Local times are wall times of the source', () => {
    expect(span({ start: '2026-03-01T19:00' }, { sourceTimezone: 'Asia/Tokyo' })).toBe(
      '2026-03-01 05:00:00 – 2026-03-01 05:00:00',
    );
  });

  test('An end before its start becomes the start, with a warning', () => {
    const fields = { ...talk, start: '2026-03-02T10:00', end: '2026-03-01T12:00' };
    expect(span(fields)).toBe('2026-03-02 10:00:00 – 2026-03-02 10:00:00');
    expect(warnings(sync, fields)).toEqual([{ at: 'line 2', message: expect.stringContaining('before the start') }]);
    expect(warnings(sync, { ...talk, start: '2026-03-02T10:00', end: '2026-03-02T09:00' })).toHaveLength(1);
    expect(warnings(sync, { ...talk, start: '2026-03-02T10:00', end: '2026-03-02T10:00' })).toEqual([]);
  });

  test('A date without a time is all-day even if allDay is false, with a warning', () => {
    const fields = { ...talk, start: '2026-03-02', allDay: false };
    expect(span(fields)).toBe('2026-03-02 00:00:00 – 2026-03-02 23:59:59');
    expect(warnings(sync, fields)).toHaveLength(1);
  });

  test('Flags of days depend on the dates unless they are mapped', () => {
    const oneDay = payload(sync, { ...talk, start: '2026-03-01' });
    const twoDays = payload(sync, { ...talk, start: '2026-03-01', end: '2026-03-02' });
    expect(oneDay).toMatchObject({ isMultiDay: false, spansMultipleDays: false });
    expect(twoDays).toMatchObject({ isMultiDay: true, spansMultipleDays: true });
    expect(twoDays).not.toHaveProperty('showOnAllDates');
    const mapped = eventSync({ map: { ...sync.map, isMultiDay: { value: false }, showOnAllDates: { value: true } } });
    expect(payload(mapped, { ...talk, start: '2026-03-01', end: '2026-03-02' })).toMatchObject({
      isMultiDay: false,
      spansMultipleDays: true,
      showOnAllDates: true,
    });
  });

  test.each([
    ['2026-03-01', undefined, 'day'],
    ['2026-03-01T19:00', undefined, 'start'],
    ['2026-03-01T19:00', '2026-03-01T20:00', 'span'],
  ])('The attribute time.type is as configured: %s – %s', (start, end, type) => {
    const typed = eventSync({ timeTypes: { allDay: 'day', startOnly: 'start', startEnd: 'span' } });
    expect(payload(typed, { ...talk, start, end })).toMatchObject({ time: { type } });
    expect(payload(sync, { ...talk, start, end })).toMatchObject({ time: { type: 'timed' } });
  });

  test('The payload of an event has all derived attributes', () => {
    expect(payload(sync, { ...talk, start: '2026-03-01T19:00', end: '2026-03-01T20:00' })).toEqual({
      title: 'Talk',
      date: '2026-03-01',
      endDate: '2026-03-01',
      isMultiDay: false,
      spansMultipleDays: false,
      time: { start: '19:00:00', end: '20:00:00', type: 'timed' },
    });
  });

  test.each([
    '2026-02-30',
    '2026-02-30T10:00',
    '2026-03-01T25:10',
    '2026-03-01T10:00[Moon/Base]',
    '3/1/2026',
    'soon',
    '2026-13-01',
    20260301,
  ])('The start %s is rejected', (start) => {
    expect(rejection(sync, { ...talk, start })).toMatchObject({
      at: 'line 2',
      code: 'FF_RECORD_DATE',
      key: '1',
      reason: expect.stringMatching(/^start: .*(2026|soon).*field "start"/),
    });
  });

  test.each([
    ['2026-02-30', 'start: "2026-02-30" is not an existing date or time (field "start")'],
    ['soon', 'start: "soon" is not a date or date-time (ISO 8601) (field "start")'],
  ])('The start %s is rejected with its reason', (start, reason) =>
    expect(rejection(sync, { ...talk, start }).reason).toBe(reason),
  );
});

describe('An event whose date, endDate and time are mapped directly', () => {
  const names = ['title', 'date', 'endDate', 'time.start', 'time.end', 'time.type', 'allDay', 'start'];
  const direct = eventSync({ map: Object.fromEntries(names.map((name) => [name, { field: name }])) });
  const of = (fields: Record<string, unknown>) => span(fields, {}, direct);

  test.each([
    [{ date: '2026-03-01', 'time.start': '7:30 pm' }, '2026-03-01 19:30:00 – 2026-03-01 19:30:00'],
    [
      { date: '2026-03-01', endDate: '', 'time.start': '09:00', 'time.end': '10:00' },
      '2026-03-01 09:00:00 – 2026-03-01 10:00:00',
    ],
    [
      { date: '2026-03-01', endDate: '2026-03-05', 'time.start': '10:00', 'time.end': '9:00' },
      '2026-03-01 10:00:00 – 2026-03-05 09:00:00',
    ],
    [{ date: '2026-03-01', time: { start: '10:00', end: '11:00' } }, '2026-03-01 10:00:00 – 2026-03-01 11:00:00'],
    [{ date: '2026-03-01', allDay: 'x', 'time.start': '' }, '2026-03-01 00:00:00 – 2026-03-01 23:59:59'],
    [{ start: '2026-03-01', 'time.start': '10:00' }, '2026-03-01 10:00:00 – 2026-03-01 10:00:00'],
    [{ start: '2026-03-01T08:00', date: '2026-04-01' }, '2026-04-01 08:00:00 – 2026-04-01 08:00:00'],
  ])('may have the fields %j', (fields, expected) => {
    expect(of(fields)).toBe(expected);
  });

  test.each([
    ['title', { title: ' ', date: '2026-03-01', 'time.start': '10:00' }],
    ['date', { 'time.start': '10:00' }],
    ['date', { date: '', 'time.start': '10:00' }],
    ['time.start', { date: '2026-03-01' }],
  ])('is rejected without %s', (attribute, fields) => {
    const { code, reason } = rejection(direct, { ...talk, ...fields });
    expect(code).toBe('FF_RECORD_REQUIRED');
    expect(reason).toMatch(new RegExp(`^${attribute}: `));
  });
});

describe('The window', () => {
  const within = (window: object, start: string) =>
    map(eventSync({ window }), { ...talk, start }, { now: () => Date.UTC(2026, 2, 1, 3) }).is;

  test('The window counts days from today in the zone of the site, both ends inclusive', () => {
    const window = { pastDays: 1, futureDays: 2 };
    // 03:00 UTC on 1 March is still 28 February in New York.
    expect(['2026-02-26', '2026-02-27', '2026-03-02', '2026-03-03'].map((day) => within(window, day))).toEqual([
      'skipped',
      'desired',
      'desired',
      'skipped',
    ]);
  });

  test('The window may have fixed dates, and either may be open', () => {
    expect(within({ from: '2026-01-01', to: '2026-12-31' }, '2025-12-31')).toBe('skipped');
    expect(within({ from: '2026-01-01' }, '2035-12-31')).toBe('desired');
    expect(within({ to: '2026-12-31' }, '2027-01-01')).toBe('skipped');
  });

  test('An event that reaches into the window is inside', () => {
    const fields = { ...talk, start: '2025-12-30', end: '2026-01-01' };
    expect(map(eventSync({ window: { from: '2026-01-01' } }), fields).is).toBe('desired');
    expect(map(eventSync({ window: { from: '2026-01-02' } }), fields)).toEqual({
      is: 'skipped',
      at: 'line 2',
      key: '1',
      reason: 'ends on 2026-01-01, before the window starts on 2026-01-02',
      beyond: { payload: expect.objectContaining({ date: '2025-12-30' }), map: expect.any(Function) },
    });
  });
});
