import { describe, expect, test } from 'vitest';
import { proposalFor, rulesOf, table } from './setup.ts';

/** Twelve events with the values of one more field. */
const events = (name: string, value: (index: number) => unknown, start = 'start') =>
  Array.from({ length: 12 }, (_, index) => ({
    [name]: value(index),
    title: `Talk ${'abcdefghijkl'[index]}`,
    [start]: `2027-03-${String(index + 1).padStart(2, '0')}T19:00`,
  }));

describe('A field named as an id', () => {
  const values: Array<[string, (index: number) => unknown]> = [
    ['times', (index) => 1001 + index],
    ['years', (index) => 2001 + index],
    ['days', (index) => 20260101 + index],
    ['ISO days', (index) => `2026-01-${String(index + 10)}`],
    ['seconds since 1970', (index) => 1714500000 + index],
    ['phone numbers', (index) => `0711 12345${index + 10}`],
    ['dates with slashes', (index) => `${index + 1}/5/26`],
  ];
  const names = [
    ...[
      'id',
      'ID',
      'event_id',
      'EventID',
      'uid',
      'uuid',
      'guid',
      'nr',
      'No.',
      'number',
      'ref',
      'code',
      'key',
      'kennung',
    ],
    ...['Kursnummer', 'Kurs-Nr.', 'identifiant', 'numero', 'externalId', 'external_ref', 'race_id', 'Seminar #'],
  ];

  test.each(names)('%s is the key, whatever its values look like', (name) => {
    for (const [, value] of values) {
      const proposal = proposalFor(events(name, value));
      const shown = value(0);
      expect([shown, proposal.key.value, rulesOf(proposal).start]).toEqual([shown, name, 'start']);
    }
  });

  test('is not the start, if no other field has dates', () => {
    const rows = events('id', (index) => `2026-01-${String(index + 10)}`).map(({ start: _, ...row }) => row);
    expect(rulesOf(proposalFor(rows)).start).toBeUndefined();
  });

  test('has the reason as its evidence', () => {
    expect(proposalFor(events('id', (index) => 1001 + index)).key.evidence).toBe(
      '12 of 12 records have it, all different; it is named as an id, so its values are not read as times',
    );
    expect(proposalFor(events('id', (index) => `e${index}`)).key.evidence).toBe(
      '12 of 12 records have it, all different',
    );
  });

  test.each(['Date no.', 'Tag-Nr.', 'start_code'])('%s is a date, as its name says', (name) => {
    const rows = events(name, (index) => `2026-01-${String(index + 10)}`).map(({ start: _, ...row }) => row);
    expect(rulesOf(proposalFor(rows)).start).toBe(name);
  });

  test('is a time if its values repeat and its name is only likely an id', () => {
    const rows = table(['title', 'date', 'Time code'], ['A', '2027-03-01', '1930'], ['B', '2027-03-02', '1930']);
    expect(proposalFor(rows).key.value).not.toBe('Time code');
  });
});

describe('A field with dates that is not named as a start', () => {
  test.each([
    ...[
      'end',
      'end_date',
      'Ends',
      'until',
      'Until date',
      'bis',
      'Bis Datum',
      'fin',
      'date_fin',
      'closing',
      'closing_date',
    ],
    ...['Last day', 'deadline', 'updated_at', 'created', 'published_date', 'modified', 'expires', 'valid_to'],
  ])('%s is not taken for the start', (name) => {
    const rows = events('id', (index) => `e${index}`, name);
    const proposal = proposalFor(rows, { resource: 'events' });
    expect(rulesOf(proposal).start).toBeUndefined();
    expect(proposal.open).toMatchObject([{ id: 'start', safe: 'none', choices: [{ value: name }, { value: 'none' }] }]);
    expect(proposal.open[0]?.text).toContain(name);
    expect(rulesOf(proposalFor(rows, { resource: 'events', start: name })).start).toBe(name);
    expect(proposalFor(rows, { resource: 'events', start: 'none' }).open).toEqual([]);
  });

  test('with a time of day beside it is not, either', () => {
    const rows = table(['title', 'start_time', 'end_date'], ['A', '19:00', '2027-03-01'], ['B', '20:00', '2027-03-02']);
    expect(rulesOf(proposalFor(rows, { resource: 'events' })).start).toBeUndefined();
  });

  test('is taken if its name says nothing', () => {
    expect(rulesOf(proposalFor(events('id', (index) => `e${index}`, 'x'))).start).toBe('x');
  });
});

describe('A field named as UTC', () => {
  const rowsOf = (names: string[], form = 'T19:00:00') =>
    Array.from({ length: 3 }, (_, index) => ({
      id: `e${index}`,
      title: `Talk ${index}`,
      ...Object.fromEntries(names.map((name) => [name, `2027-03-0${index + 1}${form}`])),
    }));
  const timesOf = (names: string[], form?: string) => {
    const proposal = proposalFor(rowsOf(names, form));
    const { start, end, endDate } = rulesOf(proposal);
    return { start, end: end ?? endDate, timezone: proposal.source.timezone?.value, warnings: proposal.warnings };
  };

  test.each([
    'start_utc',
    'startUtc',
    'start_gmt',
    'begin_utc',
    'utc_start',
    'dtstart_z',
    'datetime_utc',
    'StartDateUTC',
    'Start (UTC)',
    'Start [GMT]',
  ])('%s sets the zone', (name) => {
    expect(timesOf([name])).toMatchObject({ start: name, timezone: 'UTC', warnings: [] });
    expect(proposalFor(rowsOf([name])).source.timezone?.evidence).toBe(`${name} is named as UTC`);
  });

  test.each([
    [['datetime_utc', 'datetime_local'], 'datetime_local'],
    [['start_utc', 'start_local', 'end_utc', 'end_local'], 'start_local', 'end_local'],
    [['start_gmt', 'end_gmt', 'start', 'end'], 'start', 'end'],
  ])('beside a local one is not used: %j', (names, start, end?: string) => {
    expect(timesOf(names)).toEqual({ start, end, timezone: undefined, warnings: [] });
  });

  test('for start and end sets the zone of both', () => {
    expect(timesOf(['start_utc', 'end_utc'])).toEqual({
      start: 'start_utc',
      end: 'end_utc',
      timezone: 'UTC',
      warnings: [],
    });
  });

  test('with a format has the zone in its rule', () => {
    const rows = table(
      ['title', 'start_utc', 'end'],
      ['A', '25.03.2027 19:00', '25.03.2027 20:00'],
      ['B', '26.03.2027 19:00', '26.03.2027 20:00'],
    );
    expect(rulesOf(proposalFor(rows))).toMatchObject({
      start: { field: 'start_utc', format: 'd.M.yyyy H:mm', zone: 'UTC' },
      end: { field: 'end', format: 'd.M.yyyy H:mm' },
    });
  });

  test.each([
    [['start', 'end_utc'], undefined, 'end_utc is named as UTC, start is not'],
    [['start_utc', 'end'], 'UTC', 'start_utc is named as UTC, end is not'],
  ])('beside a time without a zone leaves the end out, with a warning: %j', (names, timezone, warning) => {
    expect(timesOf(names)).toEqual({
      start: names[0],
      end: undefined,
      timezone,
      warnings: [expect.stringContaining(warning)],
    });
  });

  test('whose values have zones needs none', () => {
    expect(timesOf(['start_utc', 'end_utc'], 'T19:00:00Z')).toMatchObject({ timezone: undefined, warnings: [] });
  });

  test('as another zone, or a field with zones that are not read, gets a warning or none', () => {
    expect(timesOf(['Start (GMT+1)'])).toMatchObject({ timezone: undefined });
    const rows = rowsOf(['start']).map((row) => ({ ...row, start_tz: 'CET' }));
    expect(proposalFor(rows).warnings).toEqual([
      'start_tz seems to have zones, such as "CET", which are not read: set source.timezone.',
    ]);
  });

  test('with days needs none', () => {
    expect(timesOf(['start_utc', 'end_utc'], '')).toMatchObject({ timezone: undefined, warnings: [] });
  });

  test('with times of day gets a warning', () => {
    const rows = table(['title', 'date', 'time_utc'], ['A', '2027-03-01', '19:00'], ['B', '2027-03-02', '20:00']);
    expect(proposalFor(rows).warnings).toContainEqual(expect.stringMatching(/^time_utc is named as UTC/));
  });

  test('is preferred if the local times are in several zones', () => {
    const rows = rowsOf(['start_utc', 'start_local']).map((row, index) => ({
      ...row,
      timezone: ['Europe/Berlin', 'Asia/Tokyo'][index % 2],
    }));
    expect(rulesOf(proposalFor(rows)).start).toBe('start_utc');
  });
});
