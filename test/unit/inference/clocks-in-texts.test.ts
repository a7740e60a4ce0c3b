import { expect, test } from 'vitest';
import { propose } from '../../../src/inference/propose/propose.ts';
import { proposalFor, sampleOf, table } from './setup.ts';

const columns = ['id', 'title', 'start', 'text'];
/** What visitors read in Chicago, in winter and in summer, and the same moments in UTC without a word of it. */
const inUtc = table(
  columns,
  ['1', 'Gala', '2027-01-15T01:00:00', 'Doors open at 7 pm.'],
  ['2', 'Tea', '2027-02-20 21:30:00', '3:30 p.m. in the hall'],
  ['3', 'Walk', '2027-07-03T15:00:00', 'We leave at 10:00, rain or shine (2.5 miles, 555-1234)'],
  ['4', 'Film', '2027-07-09T00:15:00', 'Starts 19:15'],
  ['5', 'Quiet', '2027-07-10T00:15:00', 'Nothing is said here'],
);
const question = {
  id: 'times in UTC',
  line: 'start',
  text: expect.stringContaining('4 of 4 records name a time 6 or 5 hours earlier than the start'),
  safe: 'site',
};

test('Times whose texts name other hours, as a zone differs from UTC, are asked about', () => {
  const asked = proposalFor(inUtc);
  expect(asked.open).toMatchObject([question]);
  expect(asked.source).not.toHaveProperty('timezone');
  const { open, source } = proposalFor(inUtc, { 'times in UTC': 'UTC' });
  expect([open, source.timezone]).toMatchObject([[], { value: 'UTC' }]);
  const site = proposalFor(inUtc, { 'times in UTC': 'site' });
  expect([site.open, site.source.timezone]).toEqual([[], undefined]);
  expect(proposalFor(inUtc, {}, { 'source.timezone': 'Europe/Berlin' }).open).toEqual([]);
});

test('So are the times of a calendar without a zone, also if the calendar names one', () => {
  const rows = inUtc.map(({ start, title, text, id }) => {
    return { uid: id, summary: title, description: text, start: String(start).replace(' ', 'T'), allDay: false };
  });
  const calendar = { ...sampleOf(rows), connector: 'ical', timezone: 'America/Chicago' };
  const proposal = propose(calendar, { answers: {}, lines: {} });
  expect(proposal.open).toMatchObject([question]);
  expect(proposal.source.timezone).toMatchObject({ value: 'America/Chicago' });
  const said = propose(calendar, { answers: { 'times in UTC': 'UTC' }, lines: {} });
  expect(said.source.timezone).toMatchObject({ value: 'UTC' });
});

test.each([
  [
    'some texts name the hour of the start',
    (row: string[]) => (row[0] === '4' ? [...row.slice(0, 3), 'at 0:15'] : row),
  ],
  ['the times have a zone', ([id, title, start, text]: string[]) => [id, title, `${start}Z`.replace(' ', 'T'), text]],
  [
    'the texts name the time at which doors open',
    (_: string[], n: number) => [`${n}`, 'A', '2027-01-15T20:00:00', 'Doors: 19:00'],
  ],
  ['the texts name hours of all kinds', (row: string[], n: number) => [...row.slice(0, 3), `Bus at ${9 + 3 * n}:40`]],
  ['only few texts name hours', (row: string[], n: number) => (n > 1 ? [...row.slice(0, 3), 'none'] : row)],
])('Nothing is asked if %s', (_, changed) => {
  const rows = inUtc.map((row, n) => changed(Object.values(row).map(String), n));
  expect(proposalFor(table(columns, ...rows)).open).toEqual([]);
});

const night = (...clocks: string[]) =>
  clocks.map((clock, n) => ({ id: `${n}`, title: `Concert ${n}`, start: `2027-01-1${n}T${clock}:00` }));

test('Times of which most are at night are asked about, if no text names an hour', () => {
  const rows = night('01:00', '02:30', '00:30', '15:30', '02:00', '00:00');
  expect(proposalFor(rows).open).toMatchObject([
    { id: 'times in UTC', text: 'Are the times in UTC? 4 of 5 events start between midnight and 5:00.', safe: 'site' },
  ]);
  expect(proposalFor(rows, { 'times in UTC': 'UTC' }).source.timezone).toMatchObject({ value: 'UTC' });
  expect(proposalFor(night('01:00', '02:30', '20:00', '15:30', '21:00', '00:30')).open).toEqual([]);
});
