import { expect, test } from 'vitest';
import { addDays } from '../../../../src/core/dates/iso-date.ts';
import type { DesiredRecord, Payload } from '../../../../src/core/record.ts';
import type { KnownSpan } from '../../../../src/ledger/records/event-days.ts';
import { foldDays } from '../../../../src/sync/spans/fold-days.ts';
import { type DayRecord, type SpanRule, spanRecord, toDay } from '../../../../src/sync/spans/span-record.ts';

const SEPARATE: SpanRule = { as: 'span', hours: 'separate', language: 'en' };
const TEXT: SpanRule = { as: 'span', hours: 'text', language: 'en' };

/** Days of March 2027, which begins on a Monday. */
function record(number: number, { hours = '10:00 17:00', ...more }: Payload & { hours?: string } = {}): DesiredRecord {
  const date = addDays('2027-03-01', number - 1);
  const [start = '', end = ''] = hours.split(' ').map((time) => `${time}:00`);
  const payload = { title: 'Old Maps', date, endDate: date, time: { start, end, type: 'timed' }, ...more };
  return { at: `line ${number}`, key: `d${number}`, resource: 'events', payload, attachments: [] };
}

const TUESDAY_TO_SUNDAY = [2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21];

function spansOf(records: readonly DesiredRecord[], rule = SEPARATE, before?: KnownSpan) {
  const days = records.flatMap((each) => toDay(each, rule) ?? []);
  const facts = { rule, timeTypes: undefined, rejected: [], since: '2027-01-01', before };
  const known = new Map(Object.keys(before?.days ?? {}).map((key) => [key, before?.key ?? '']));
  const mayBeUnread = ({ date }: Payload) => String(date) < (records[0]?.payload.date ?? '');
  return foldDays<DayRecord>(days, known).map((span) => spanRecord(span, { ...facts, mayBeUnread }));
}

test('Addresses that differ only by key and day are equal; other texts are not', () => {
  const each = (number: number) => ({ link: `https://example.org/e/d${number}?day=2027-03-0${number}`, images: [] });
  const [span] = spansOf([1, 2, 3].map((number) => record(number, each(number))));
  // The last address is valid for the longest time.
  expect(span?.payload).toMatchObject({ date: '2027-03-01', endDate: '2027-03-03', link: each(3).link });
  expect(spansOf([1, 2, 3].map((number) => record(number, { description: `Day d${number}` })))).toEqual([]);
});

test('An event of several days, and one without a day, is no day of another event', () => {
  const long = { endDate: '2027-03-09' };
  expect(toDay(record(1, long), SEPARATE)).toBeUndefined();
  expect(toDay(record(1, { date: null }), SEPARATE)).toBeUndefined();
});

const saturdays = (number: number) => (number % 7 === 6 ? '10:00 20:00' : '10:00 17:00');

test('Days with other hours are single events, or a text', () => {
  const records = TUESDAY_TO_SUNDAY.map((number) =>
    record(number, { hours: saturdays(number), description: 'A show' }),
  );
  expect(spansOf(records)).toMatchObject([{ key: 'span/d2', payload: { description: 'A show' } }]);
  expect(Object.keys(spansOf(records)[0]?.span?.days ?? {})).not.toContain('d6');
  const [span] = spansOf(records, TEXT);
  expect(span?.payload).toMatchObject({
    ...{ date: '2027-03-02', endDate: '2027-03-21', time: { start: '00:00:00', end: '23:59:59', type: 'timed' } },
    description: 'A show\n\nTue–Fri 10:00–17:00, Sat 10:00–20:00, Sun 10:00–17:00',
  });
});

test.each([
  ['de', 'Di–So 10:00–17:00'],
  ['en', 'Tue–Sun 10:00–17:00'],
])('Weekdays without hours are named by the others, in %s', (language, hours) => {
  const records = TUESDAY_TO_SUNDAY.map((number) => record(number, { description: '<p>A show</p>' }));
  const [span] = spansOf(records, { ...TEXT, language });
  expect(span?.payload.description).toBe(`<p>A show</p><p>${hours}</p>`);
  expect(span?.payload.time).toMatchObject({ start: '10:00:00' });
});

test('The same hours on each of many days in a row are no text, and those of a single day are told by its date', () => {
  expect(
    spansOf(
      [1, 2, 3, 4].map((number) => record(number)),
      TEXT,
    )[0]?.payload,
  ).not.toHaveProperty('description');
  const records = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((number) =>
    record(number, { hours: number === 9 ? '10:00 14:00' : '10:00 17:00' }),
  );
  expect(spansOf(records, TEXT)[0]?.payload.description).toMatch(/^Mon–Sun 10:00–17:00, (9 Mar|Mar 9) 10:00–14:00$/);
});

test('What the source drops at the end does not change the event: its first day and its hours stay', () => {
  const records = TUESDAY_TO_SUNDAY.map((number) => record(number, { hours: saturdays(number) }));
  const [whole] = spansOf(records, TEXT);
  const before = { key: 'span/d2', start: '2027-03-02', end: '2027-03-21', days: {}, like: '', ...whole?.span };
  for (const left of [9, 3, 1]) {
    const [span] = spansOf(records.slice(-left), TEXT, before);
    expect(span?.payload).toEqual(whole?.payload);
  }
  const later = [22, 23, 24].map((number) => record(number));
  const [extended] = spansOf(later, TEXT, { ...before, days: { d22: '2027-03-22' } });
  expect(extended?.payload).toMatchObject({ date: '2027-03-02', endDate: '2027-03-24' });
});
