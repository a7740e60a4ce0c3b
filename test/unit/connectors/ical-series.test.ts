import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ical } from '../../../connectors/ical/ical.ts';
import { calendar, event } from './ical-lines.ts';
import { type ReadOptions, readFeed } from './read-feed.ts';

const series = (...lines: string[]) =>
  event('UID:s', 'DTSTART;TZID=America/New_York:20260302T190000', 'DURATION:PT1H', 'SUMMARY:Talk', ...lines);
const weekly = series('RRULE:FREQ=WEEKLY;COUNT=5');
const read = (lines: string[], options: ReadOptions = {}) => readFeed(ical, calendar(...lines), options);
const keys = async (lines: string[], options: ReadOptions = {}) =>
  (await read(lines, options)).records.map(({ fields }) => fields.uid);

afterEach(() => {
  vi.useRealTimers();
});

describe('The window', () => {
  test('includes both of its days in the zone of the site, and a warning reports that it cuts a series', async () => {
    const window = { from: '2026-03-10', to: '2026-03-17' };
    const options = { window, siteTimezone: 'Asia/Tokyo' };
    const { records, warnings } = await read(weekly, options);
    // Monday evening in New York is Tuesday morning in Tokyo.
    expect(records.map(({ fields }) => fields.uid)).toEqual(['s/20260309T230000Z', 's/20260316T230000Z']);
    expect(warnings).toEqual([
      {
        at: 'memory',
        message:
          'Recurring events are published from 2026-03-10 to 2026-03-17; dates outside are skipped (in 1 series)',
      },
    ]);
    expect(await keys(weekly, { window })).toEqual(['s/20260316T230000Z']);
  });

  test('causes no warning if it includes a whole series', async () => {
    const { records, warnings } = await read(weekly, { window: { from: '2026-03-01', to: '2026-04-01' } });
    expect(records).toHaveLength(5);
    expect(warnings).toEqual([]);
  });

  test('includes events that are still running, and an end at midnight belongs to the day before', async () => {
    const long = event('UID:s', 'DTSTART:20260301T050000Z', 'DTEND:20260304T050000Z', 'RRULE:FREQ=WEEKLY;COUNT=2');
    const from = (day: string) => keys(long, { window: { from: day, to: '2026-03-06' } });
    expect(await from('2026-03-03')).toEqual(['s/20260301T050000Z']);
    expect(await from('2026-03-04')).toEqual([]);
  });

  test('includes an instance that was moved into it, and excludes one that was moved out', async () => {
    const moved = series('RECURRENCE-ID:20260309T230000Z').map((line) => line.replace('20260302T19', '20260601T19'));
    const lines = [...weekly, ...moved];
    expect(await keys(lines, { window: { from: '2026-06-01', to: '2026-06-01' } })).toEqual(['s/20260309T230000Z']);
    expect(await keys(lines, { window: { from: '2026-03-09', to: '2026-03-09' } })).toEqual([]);
  });

  test('is by default a year back to two years ahead, for endless rules only', async () => {
    vi.useFakeTimers({ now: Date.parse('2030-06-15T12:00:00Z'), toFake: ['Date'] });
    const { records, warnings } = await read(series('RRULE:FREQ=YEARLY'));
    expect(records.map(({ fields }) => String(fields.start).slice(0, 10))).toEqual([
      '2030-03-02',
      '2031-03-02',
      '2032-03-02',
    ]);
    expect(warnings).toHaveLength(1);
    // A rule that ends is followed from its start.
    expect(await keys(weekly)).toHaveLength(5);
  });
});

describe('The cap on occurrences', () => {
  test('is applied with a warning about the series', async () => {
    const { records, warnings } = await read(series('RRULE:FREQ=SECONDLY'), {
      options: { maxOccurrences: 3 },
      window: { from: '2026-03-02', to: '2026-03-03' },
    });
    expect(records).toHaveLength(3);
    expect(warnings).toEqual([
      { at: 'VEVENT 1 (line 3)', message: 'only 3 occurrences are published (source.maxOccurrences)' },
    ]);
  });

  test('is 10,000 by default', async () => {
    const { records } = await read(event('UID:s', 'DTSTART:20260302T190000Z', 'RRULE:FREQ=MINUTELY;COUNT=20000'));
    expect(records).toHaveLength(10_000);
    expect(new Set(records.map(({ fields }) => fields.uid)).size).toBe(10_000);
  });
});

describe('The keys', () => {
  test('of unmoved occurrences stay the same when the series is edited', async () => {
    const edited = series('RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20260316T230000Z', 'DESCRIPTION:new', 'SEQUENCE:2').map(
      (line) => line.replace(';TZID=America/New_York:20260302T190000', ':20260303T000000Z'),
    );
    const before = await keys(weekly);
    const after = await keys(series('RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20260316T230000Z', 'DESCRIPTION:new'));
    expect(after).toEqual(['s/20260303T000000Z', 's/20260309T230000Z', 's/20260323T230000Z']);
    expect(before).toEqual(expect.arrayContaining(after));
    expect((await keys(edited))[0]).toBe('s/20260303T000000Z');
  });

  test('of floating series are the times as written', async () => {
    const floating = event('UID:s', 'DTSTART:20260302T190000', 'RRULE:FREQ=DAILY;COUNT=2');
    expect(await keys(floating)).toEqual(['s/20260302T190000', 's/20260303T190000']);
  });

  test('are unique, even if two wall times are one instant', async () => {
    const hourly = event('UID:s', 'DTSTART;TZID=America/New_York:20260308T013000', 'RRULE:FREQ=HOURLY;COUNT=3');
    expect(await keys(hourly)).toEqual(['s/20260308T063000Z', 's/20260308T073000Z']);
  });

  test('of two series with one UID are distinct', async () => {
    const other = event('UID:s', 'DTSTART:20260501T100000Z', 'SUMMARY:Another', 'RRULE:FREQ=DAILY;COUNT=2');
    const all = await keys([...weekly, ...other]);
    expect(all).toHaveLength(7);
    expect(new Set(all).size).toBe(7);
  });
});

describe('The option recurrence', () => {
  const lines = [
    ...weekly,
    ...series('RECURRENCE-ID:20260303T000000Z', 'STATUS:CANCELLED'),
    ...series('RECURRENCE-ID:20260330T230000Z').map((line) => line.replace('20260302T19', '20260401T20')),
  ];

  test('may be first, which publishes the first remaining date under the UID', async () => {
    const { records } = await read(lines, { options: { recurrence: 'first' } });
    expect(records.map(({ fields: { uid, start, repeats } }) => [uid, start, repeats])).toEqual([
      ['s', '2026-03-09T19:00:00-04:00[America/New_York]', true],
    ]);
  });

  test('may be span, which publishes one event from the first to the last date, wherever the window starts', async () => {
    const { records } = await read(lines, { options: { recurrence: 'span' }, window: { from: '2026-03-20' } });
    expect(records.map(({ fields: { uid, start, end } }) => [uid, start, end])).toEqual([
      ['s', '2026-03-09T19:00:00-04:00[America/New_York]', '2026-04-01T21:00:00-04:00[America/New_York]'],
    ]);
  });

  test('may be span, which counts whole days for all-day series', async () => {
    const days = event('UID:s', 'DTSTART;VALUE=DATE:20260302', 'DURATION:P2D', 'RRULE:FREQ=WEEKLY;COUNT=2');
    const { records } = await read(days, { options: { recurrence: 'span' } });
    expect(records[0]?.fields).toMatchObject({ start: '2026-03-02', end: '2026-03-10', showOnAllDates: true });
  });

  test.each(['first', 'span'])('does not change single events if it is %s', async (recurrence) => {
    const { records } = await read(event('UID:x', 'DTSTART:20260302T190000Z'), { options: { recurrence } });
    expect(records.map(({ fields }) => [fields.uid, fields.repeats])).toEqual([['x', undefined]]);
  });
});

test('A malformed series is rejected alone, and the read is incomplete', async () => {
  const bad = series('RRULE:FREQ=WEEKLY;BYDAY=XX').map((line) => line.replace('UID:s', 'UID:bad'));
  const { records, rejections, incomplete } = await read([...bad, ...weekly]);
  expect(records).toHaveLength(5);
  expect(rejections).toMatchObject([{ key: 'bad', at: 'VEVENT 1 (line 3)', code: 'FF_RECORD_MALFORMED' }]);
  expect(incomplete).toHaveLength(1);
});

test.each(['FREQ=SECONDLY', 'FREQ=SECONDLY;INTERVAL=7;BYSECOND=3,9;BYSETPOS=2', 'FREQ=WEEKLY;BYSETPOS=50;COUNT=3'])(
  'A VTIMEZONE with the rule %s is read in bounded time',
  async (rule) => {
    const offsets = ['TZOFFSETFROM:+0100', 'TZOFFSETTO:+0100'];
    const zone = ['BEGIN:STANDARD', 'DTSTART:20200101T000000', ...offsets, `RRULE:${rule}`, 'END:STANDARD'];
    const lines = event('UID:x', 'DTSTART;TZID=Odd:20260302T190000');
    const { records } = await read(['BEGIN:VTIMEZONE', 'TZID:Odd', ...zone, 'END:VTIMEZONE', ...lines]);
    expect(records[0]?.fields.start).toBe('2026-03-02T19:00:00+01:00[+01:00]');
  },
);

test('Private events and instances are published only if source.publish has them', async () => {
  const lines = [
    ...weekly,
    ...series('RECURRENCE-ID:20260309T230000Z', 'CLASS:PRIVATE'),
    ...event('UID:secret', 'DTSTART:20260302T190000Z', 'CLASS:confidential'),
  ];
  const { records, warnings } = await read(lines);
  expect(records).toHaveLength(4);
  expect(warnings.map(({ message }) => message)).toEqual([
    'the event is PRIVATE and not published (source.publish)',
    'the event is CONFIDENTIAL and not published (source.publish)',
  ]);
  expect(await keys(lines, { options: { publish: ['private', 'confidential'] } })).toHaveLength(6);
});

test('The description is HTML if the options ask for it', async () => {
  const lines = event(
    'UID:x',
    'DTSTART:20260302T190000Z',
    'DESCRIPTION:Plain',
    'X-ALT-DESC;FMTTYPE=text/html:<b>Rich</b>',
  );
  const description = async (options: object) => (await read(lines, { options })).records[0]?.fields.description;
  expect(await description({})).toBe('Plain');
  expect(await description({ description: 'html' })).toBe('<b>Rich</b>');
});

test.each([
  ['<HTML><HEAD><TITLE>x</TITLE><STYLE>p{}</STYLE></HEAD><BODY>\\n<!-- from rtf -->&nbsp\\;</BODY></HTML>', 'Plain'],
  ['<p><img src="a.png"></p>', 'Plain'],
  ['<body>Rich</body>', '<body>Rich</body>'],
])('HTML without text does not replace a description that has some: %s', async (html, expected) => {
  const lines = event('UID:x', 'DTSTART:20260302T190000Z', 'DESCRIPTION:Plain', `X-ALT-DESC;FMTTYPE=text/html:${html}`);
  const [record] = (await read(lines, { options: { description: 'html' } })).records;
  expect(record?.fields.description).toBe(expected);
});

test.each([
  ['past midnight', 'DTSTART:20260302T230000', 'DTEND:20260303T020000', false],
  ['on two days', 'DTSTART:20260302T090000', 'DTEND:20260303T170000', true],
  ['until midnight', 'DTSTART:20260302T090000', 'DTEND:20260303T000000', false],
  ['on one whole day', 'DTSTART;VALUE=DATE:20260302', 'DTEND;VALUE=DATE:20260303', false],
  ['on two whole days', 'DTSTART;VALUE=DATE:20260302', 'DTEND;VALUE=DATE:20260304', true],
])('An event %s has the right showOnAllDates', async (_, start, end, expected) => {
  expect((await read(event('UID:x', start, end))).records[0]?.fields.showOnAllDates).toBe(expected);
});

test('The zone of the host does not affect the result', async () => {
  const bytes = ['22-daylight-saving', '24-whole-days', '25-exceptions', '25-changed-instances', '23-time-zones'].map(
    (name) => readFileSync(new URL(`../../fixtures/feeds/ical/${name}.ics`, import.meta.url)),
  );
  const before = process.env.TZ;
  const results: string[] = [];
  const offsets = new Set<number>();
  try {
    for (const zone of ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
      process.env.TZ = zone;
      offsets.add(new Date(0).getTimezoneOffset());
      const all = await Promise.all(bytes.map((each) => readFeed(ical, each, { window: { to: '2028-12-31' } })));
      results.push(JSON.stringify(all.map(({ records, rejections, warnings }) => [records, rejections, warnings])));
    }
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
  expect(offsets.size).toBe(3);
  expect(new Set(results).size).toBe(1);
});

describe('Occurrences', () => {
  const occurrencesOf = async (lines: string[], options: ReadOptions = {}) =>
    (await read(lines, options)).records.map(({ occurrence }) => {
      const { series, slot } = occurrence?.() ?? {};
      return [series, slot].join(' ').trim();
    });

  test.each<[string, string[], string[]]>([
    [
      'by the clock of their series',
      weekly.map((line) => line.replace('COUNT=5', 'COUNT=2')),
      ['s 2026-03-02T19:00:00', 's 2026-03-09T19:00:00'],
    ],
    [
      'by their days',
      event('UID:d', 'DTSTART;VALUE=DATE:20260302', 'RRULE:FREQ=DAILY;COUNT=2'),
      ['d 2026-03-02', 'd 2026-03-03'],
    ],
    ['as one, if nothing repeats', event('UID:one', 'DTSTART:20260302T190000Z'), ['one 2026-03-02T19:00:00']],
    [
      'where the series has them, if they were moved',
      [
        ...series('RRULE:FREQ=WEEKLY;COUNT=1'),
        ...event('UID:s', 'RECURRENCE-ID:20260303T000000Z', 'DTSTART:20260601T100000Z'),
      ],
      ['s 2026-03-02T19:00:00'],
    ],
    [
      'where the series had them, if it is not in the feed',
      event('UID:s', 'RECURRENCE-ID:20260303T000000Z', 'DTSTART;TZID=America/New_York:20260601T100000'),
      ['s 2026-03-02T19:00:00'],
    ],
    [
      'under the UID before a split by Google',
      event('UID:a_R20260302T190000@google.com', 'DTSTART:20260302T190000Z'),
      ['a@google.com 2026-03-02T19:00:00'],
    ],
    [
      'the same for whole days',
      event('UID:a_R20260302@google.com', 'DTSTART;VALUE=DATE:20260302'),
      ['a@google.com 2026-03-02'],
    ],
    [
      'under the number of LiveWhale',
      event('UID:20260302T190000Z-21005@x', 'DTSTART;VALUE=DATE:20260302'),
      ['21005@x 2026-03-02'],
    ],
    [
      'under the number of The Events Calendar',
      event('UID:73-1772478000-1772481600@x', 'DTSTART:20260302T190000Z'),
      ['73@x 2026-03-02T19:00:00'],
    ],
    [
      'under a UID with the time at which it was made',
      event('UID:20260102T190000Z-21005@x', 'DTSTART:20260302T190000Z'),
      ['20260102T190000Z-21005@x 2026-03-02T19:00:00'],
    ],
    [
      'under the UID as it is otherwise',
      event('UID:a_R2026@x', 'DTSTART;VALUE=DATE:20260302'),
      ['a_R2026@x 2026-03-02'],
    ],
  ])('are told apart %s', async (_, lines, expected) => {
    expect(await occurrencesOf(lines)).toEqual(expected);
  });

  test('of a series that is published once count as its first one', async () => {
    expect(await occurrencesOf(weekly, { options: { recurrence: 'first' } })).toEqual(['s 2026-03-02T19:00:00']);
  });
});
