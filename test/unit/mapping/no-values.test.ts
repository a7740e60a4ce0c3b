import { describe, expect, test } from 'vitest';
import type { FieldRule } from '../../../src/config/types.ts';
import { accountSync, eventSync, payload, rejection, warnings } from './setup.ts';

const event = { id: '1', title: 'T', start: '2027-03-01T10:00' };
const withRule = (attribute: string, rule: FieldRule) => eventSync({ map: { ...eventSync().map, [attribute]: rule } });

describe('Words for no value are published with a warning of their kind', () => {
  const sync = withRule('place', { field: 'place' });

  test.each(['NULL', 'null', 'None', 'nan', 'NaN', 'undefined', '[object Object]', 'N/A', 'TBD', 'T.B.A.', '(null)'])(
    '%s',
    (word) => {
      const record = { ...event, place: word };
      expect(payload(sync, record)).toMatchObject({ place: word });
      const [warning, ...others] = warnings(sync, record);
      expect([others, warning?.kind]).toEqual([[], 'place: no value']);
      expect(warning?.message).toMatch(/^place: ".*\(field "place"\)$/);
      // The remedy of the message works.
      const [, words = ''] = /`empty: (\[.*\])`/.exec(warning?.message ?? '') ?? [];
      const corrected = withRule('place', { field: 'place', empty: JSON.parse(words) as string[] });
      expect(payload(corrected, record).place).toBeNull();
    },
  );

  test('as a title, and in HTML', () => {
    const described = withRule('description', { field: 'text' });
    const kinds = warnings(described, { ...event, title: 'None', text: '<p>undefined</p>' }).map(({ kind }) => kind);
    expect(kinds).toEqual(['title: no value', 'description: no value']);
  });

  test.each(['Null', 'Nan', 'Nil', 'None of the above', 'Nannette', 'undefined behaviour', 'TBA Hall', 'Annull'])(
    '%s says something',
    (text) => expect(warnings(sync, { ...event, title: text, place: text })).toEqual([]),
  );

  test('A default or a word of a lookup is meant', () => {
    const meant = withRule('place', { field: 'place', default: 'TBA' });
    expect(warnings(meant, event)).toEqual([]);
    const looked = withRule('place', { field: 'place', lookup: { x: 'None' } });
    expect(warnings(looked, { ...event, place: 'x' })).toEqual([]);
  });

  test('A person called Null keeps the name', () => {
    const people = accountSync({ map: { email: { field: 'email' }, lastName: { field: 'last' } } });
    const person = { email: 'jo@example.edu', last: 'Null' };
    expect(payload(people, person)).toMatchObject({ lastName: 'Null' });
    expect(warnings(people, person)).toEqual([]);
  });

  test('A warning of a password does not show it', () => {
    const people = accountSync({ map: { email: { field: 'email' }, password: { field: 'pw' } } });
    expect(JSON.stringify(warnings(people, { email: 'jo@example.edu', pw: 'NULL' }))).not.toContain('NULL');
  });
});

describe('Days that programs write if they have none are rejected', () => {
  test.each([
    ...['9999-12-31', '9999-12-31T23:59:59', '0001-01-01', '0001-01-01T00:00:00', '1970-01-01T00:00:00Z', '1970-01-01'],
    ...['1969-12-31', '1899-12-30', '1900-01-01', '1601-01-01T00:00:00Z', '1753-01-01', '4501-01-01'],
  ])('%s', (end) => {
    const { code, reason } = rejection(eventSync(), { ...event, end });
    expect(code).toBe('FF_RECORD_DATE');
    const [, words = ''] = /`empty: (\[.*\])`/.exec(reason) ?? [];
    const corrected = withRule('end', { field: 'end', empty: JSON.parse(words) as string[] });
    expect(payload(corrected, { ...event, end })).toMatchObject({ endDate: '2027-03-01', time: { end: '10:00:00' } });
    expect(rejection(eventSync(), { ...event, start: end }).reason).toContain(JSON.stringify(end));
  });

  test.each([
    ['31.12.9999', { format: ['dd.MM.yyyy'] }],
    [0, { format: ['unix'] }],
  ])('%j in a format', (end, rule) => {
    const { reason } = rejection(withRule('end', { field: 'end', ...rule }), { ...event, end });
    const [, words = ''] = /`empty: (\[.*\])`/.exec(reason) ?? [];
    const corrected = withRule('end', { field: 'end', ...rule, empty: JSON.parse(words) as string[] });
    expect(payload(corrected, { ...event, end })).toMatchObject({ endDate: '2027-03-01' });
  });

  test.each([
    ['start', '1899-12-30T19:30:00.000Z'],
    ['time.start', '1899-12-30T19:30:00.000Z'],
    ['time.start', 'Sat Dec 30 1899 19:30:00 GMT-0500 (Eastern Standard Time)'],
    ['time.start', 'Date(1899,11,30,19,30,0)'],
  ])('A time of day of a spreadsheet says what to do: %s %s', (attribute, value) => {
    const { reason } = rejection(withRule(attribute, { field: 'value' }), { ...event, value });
    expect(reason).toContain('Export the column as text, such as 19:30');
  });
});

describe('Other days far away are warned of', () => {
  test.each([
    ['2207-01-05', 'far days', 'Check the year'],
    ['1448-07-05', 'far days', 'Check the year'],
    // Counted by themselves, because their remedy is another one.
    ['2570-01-05', 'Thai years', '`language: th`'],
  ])('%s', (day, kind, remedy) => {
    const expected = [{ kind, message: expect.stringMatching(`^${day} is more than 20 years away.*${remedy}`) }];
    expect(warnings(eventSync(), { ...event, start: day })).toMatchObject(expected);
    if (day > event.start) expect(warnings(eventSync(), { ...event, end: day })).toMatchObject(expected);
  });

  test.each(['2010-01-05', '2040-01-05'])('%s is not', (start) =>
    expect(warnings(eventSync(), { ...event, start })).toEqual([]),
  );

  test.each([
    ['5/1/2570', 'd/M/yyyy'],
    ['9 ม.ค. 2570', 'd MMM yyyy'],
    ['5/1/70', 'd/M/yy'],
    ['5/1/2027', 'd/M/yyyy'],
    ['2570-01-05', 'yyyy-MM-dd'],
  ])('Years of Thailand are read with language: th: %s', (start, format) =>
    expect(
      payload(withRule('start', { field: 'start', format: [format], language: 'th' }), { ...event, start }),
    ).toMatchObject({ date: expect.stringMatching(/^2027-01-0[59]$/) }),
  );
});

describe('What is not known of the time of an event', () => {
  test.each([
    [
      'a day as the end of the same day',
      { start: '2027-03-05T18:00', end: '2027-03-05' },
      ['2027-03-05', '18:00:00', '2027-03-05', '18:00:00'],
    ],
    [
      'a day as the end of a later day',
      { start: '2027-03-05T18:00', end: '2027-03-08' },
      ['2027-03-05', '18:00:00', '2027-03-08', '18:00:00'],
    ],
    [
      'midnight for both',
      { start: '2027-03-05T00:00', end: '2027-03-05T00:00' },
      ['2027-03-05', '00:00:00', '2027-03-05', '23:59:59'],
    ],
    [
      '00:00Z is a time elsewhere',
      { start: '2027-03-05T00:00Z', end: '2027-03-05T00:00Z' },
      ['2027-03-04', '19:00:00', '2027-03-04', '19:00:00'],
    ],
  ])('%s', (_, times, expected) => {
    const [date, start, endDate, end] = expected;
    expect(payload(eventSync(), { ...event, ...times })).toMatchObject({ date, endDate, time: { start, end } });
  });
});
