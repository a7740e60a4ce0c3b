import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ical } from '../../../connectors/ical/ical.ts';
import { resolveZone } from '../../../connectors/ical/zones/zones.ts';
import { calendar, event } from './ical-lines.ts';
import { readFeed } from './read-feed.ts';

const simple = (uid: string, ...lines: string[]) =>
  event(`UID:${uid}`, 'DTSTART:20260301T190000Z', `SUMMARY:${uid}`, ...lines);
const read = (...lines: string[]) => readFeed(ical, calendar(...lines));
const only = async (...lines: string[]) => {
  const result = await read(...event('UID:x', ...lines));
  expect(result.rejections).toEqual([]);
  expect(result.records).toHaveLength(1);
  return { fields: result.records[0]!.fields, warnings: result.warnings.map(({ message }) => message) };
};

test('The golden calendar has the expected result, in chunks of any size', async () => {
  const bytes = await readFile(new URL('../../fixtures/feeds/calendar.ics', import.meta.url));
  for (const chunkSize of [1, 100, 100_000]) {
    const { records, rejections, warnings, incomplete } = await readFeed(ical, bytes, { chunkSize });
    await expect(JSON.stringify({ records, rejections, warnings, incomplete }, null, 2)).toMatchFileSnapshot(
      '../../fixtures/feeds/calendar.expected.json',
    );
  }
});

describe('The time of an event', () => {
  test.each([
    ['UTC', ['DTSTART:20260301T190000Z'], '2026-03-01T19:00:00+00:00[UTC]'],
    ['a zone', ['DTSTART;TZID=Europe/Berlin:20260701T190000'], '2026-07-01T19:00:00+02:00[Europe/Berlin]'],
    [
      'a quoted, lower-case zone',
      ['dtstart;tzid="europe/berlin":20260101T190000'],
      '2026-01-01T19:00:00+01:00[Europe/Berlin]',
    ],
    ['floating', ['DTSTART:20260301T190000'], '2026-03-01T19:00:00-05:00[America/New_York]'],
    ['spring gap', ['DTSTART;TZID=America/New_York:20260308T023000'], '2026-03-08T03:30:00-04:00[America/New_York]'],
    ['autumn fold', ['DTSTART;TZID=America/New_York:20261101T013000'], '2026-11-01T01:30:00-04:00[America/New_York]'],
    ['no end', ['DTSTART:20260301T190000Z', 'SUMMARY:x'], '2026-03-01T19:00:00+00:00[UTC]'],
  ])('is read correctly: %s', async (_, lines, start) => {
    expect((await only(...lines)).fields).toMatchObject({ start, end: start, allDay: false });
  });

  test.each([
    ['one day without an end', ['DTSTART;VALUE=DATE:20260301'], '2026-03-01', '2026-03-01'],
    ['DTEND is exclusive', ['DTSTART;VALUE=DATE:20260227', 'DTEND;VALUE=DATE:20260302'], '2026-02-27', '2026-03-01'],
    ['DTEND on the same day', ['DTSTART;VALUE=DATE:20260301', 'DTEND;VALUE=DATE:20260301'], '2026-03-01', '2026-03-01'],
    ['DURATION in days', ['DTSTART;VALUE=DATE:20260301', 'DURATION:P2D'], '2026-03-01', '2026-03-02'],
    ['DURATION in hours', ['DTSTART;VALUE=DATE:20260301', 'DURATION:PT24H'], '2026-03-01', '2026-03-01'],
    ['without VALUE=DATE', ['DTSTART:20260301'], '2026-03-01', '2026-03-01'],
  ])('may be whole days: %s', async (_, lines, start, end) => {
    expect(await only(...lines)).toMatchObject({ fields: { start, end, allDay: true }, warnings: [] });
  });

  test('may have a DURATION across daylight saving: days are nominal, hours exact', async () => {
    const start = 'DTSTART;TZID=America/New_York:20260307T120000';
    expect((await only(start, 'DURATION:P1D')).fields.end).toBe('2026-03-08T12:00:00-04:00[America/New_York]');
    expect((await only(start, 'DURATION:PT24H')).fields.end).toBe('2026-03-08T13:00:00-04:00[America/New_York]');
  });

  test.each([['DTEND:20260301T180000Z'], ['DURATION:-PT1H']])(
    'ends at the start if the end is before it: %s',
    async (end) => {
      const { fields, warnings } = await only('DTSTART:20260301T190000Z', end);
      expect(fields.end).toBe(fields.start);
      expect(warnings).toEqual(['the end is before the start; the event ends when it starts']);
    },
  );

  test.each([
    ['30 February', ['DTSTART:20270230T100000Z'], 'FF_RECORD_DATE'],
    ['month 13', ['DTSTART;VALUE=DATE:20271301'], 'FF_RECORD_DATE'],
    ['hour 25', ['DTSTART:20270201T250000Z'], 'FF_RECORD_DATE'],
    ['minute 61', ['DTSTART:20270201T106100'], 'FF_RECORD_DATE'],
    ['no date at all', ['DTSTART:tomorrow'], 'FF_RECORD_DATE'],
    ['no DTSTART', ['SUMMARY:x'], 'FF_RECORD_DATE'],
    ['a bad end', ['DTSTART:20270201T100000Z', 'DTEND:20270230T100000Z'], 'FF_RECORD_DATE'],
    ['a bad DURATION', ['DTSTART:20270201T100000Z', 'DURATION:P1Y'], 'FF_RECORD_DATE'],
    ['DTSTART twice', ['DTSTART:20270201T100000Z', 'DTSTART:20270202T100000Z'], 'FF_RECORD_MALFORMED'],
    ['BYDAY=XX', ['DTSTART:20270201T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=XX'], 'FF_RECORD_MALFORMED'],
    ['INTERVAL=0', ['DTSTART:20270201T100000Z', 'RRULE:FREQ=DAILY;INTERVAL=0'], 'FF_RECORD_MALFORMED'],
  ])('is rejected and never rolled over: %s', async (_, lines, code) => {
    const { records, rejections } = await read(...simple('a'), ...event('UID:bad', ...lines), ...simple('b'));
    expect(records.map(({ fields }) => fields.uid)).toEqual(['a', 'b']);
    expect(rejections).toMatchObject([{ at: 'VEVENT 2 (line 8)', code, key: 'bad' }]);
  });

  test.each([
    ['Eastern Standard Time', 'America/New_York'],
    ['(UTC-08:00) Pacific Time (US & Canada)', 'America/Los_Angeles'],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Berlin'],
    ['/mozilla.org/20050126_1/Europe/Berlin', 'Europe/Berlin'],
    ['/mozilla.org/20050126_1/America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['UTC+2', '+02:00'],
    ['GMT-0330', '-03:30'],
    ['CST', undefined],
    ['IST', undefined],
    ['Foo/Bar', undefined],
    ['constructor', undefined],
    ['2026-01-01T00:00Z', undefined],
    ['', undefined],
  ])('is in the right zone for the TZID %j', (tzid, zone) => {
    expect(resolveZone(tzid, 'Asia/Tokyo')?.id).toBe(zone);
  });

  test('is in the configured zone if the TZID is unknown, with a warning', async () => {
    const { fields, warnings } = await only('DTSTART;TZID=Nowhere:20260301T190000');
    expect(fields.start).toBe('2026-03-01T19:00:00-05:00[America/New_York]');
    expect(warnings).toEqual(['unknown time zone "Nowhere"; America/New_York is used']);
  });

  test('follows its VTIMEZONE; a floating time follows X-WR-TIMEZONE', async () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Ours',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0545',
      'TZOFFSETTO:+0545',
      'END:STANDARD',
      'END:VTIMEZONE',
    ];
    const { records } = await read(
      'X-WR-TIMEZONE:Asia/Tokyo',
      ...zone,
      ...event('UID:a', 'DTSTART;TZID=Ours:20260301T190000'),
      ...event('UID:b', 'DTSTART:20260301T190000'),
    );
    expect(records.map(({ fields }) => fields.start)).toEqual([
      '2026-03-01T19:00:00+05:45[+05:45]',
      '2026-03-01T19:00:00+09:00[Asia/Tokyo]',
    ]);
  });
});

describe('The properties of an event', () => {
  test('are unescaped once, may have quoted parameters, and may be lists', async () => {
    const { fields } = await only(
      'DTSTART:20260301T190000Z',
      'SUMMARY;LANGUAGE="en;x:y":One\\, two\\; C:\\\\new\\nline',
      'CATEGORIES:A\\,b,C',
      'CATEGORIES:D',
      'ORGANIZER;CN="Doe; John":mailto:john@example.edu',
      'GEO:40.5;-73.25',
      'URL:https://example.edu/a?b=c,d;e',
      'LAST-MODIFIED:20260101T000000Z',
      'X-ALT-DESC;FMTTYPE=text/html:<p>Hi\\, there</p>',
      'BEGIN:VALARM',
      'DESCRIPTION:not this one',
      'END:VALARM',
      'IMAGE;VALUE=URI;FMTTYPE=image/png:https://example.edu/a.png',
      'ATTACH;FMTTYPE=application/pdf:https://example.edu/a.pdf',
    );
    expect(fields).toMatchObject({
      summary: 'One, two; C:\\new\nline',
      categories: ['A,b', 'C', 'D'],
      organizer: { uri: 'mailto:john@example.edu', email: 'john@example.edu', name: 'Doe; John' },
      geo: { latitude: 40.5, longitude: -73.25 },
      url: 'https://example.edu/a?b=c,d;e',
      'last-modified': '20260101T000000Z',
      'x-alt-desc': '<p>Hi, there</p>',
      image: 'https://example.edu/a.png',
      attach: ['https://example.edu/a.pdf'],
    });
    expect(fields).not.toHaveProperty('description');
    expect(JSON.parse(JSON.stringify(fields))).toEqual(fields);
  });

  test('may include an inline image', async () => {
    const { fields } = await only(
      'DTSTART:20260301T190000Z',
      'ATTACH;FMTTYPE=image/png;ENCODING=BASE64;VALUE=BINARY:iVBORw0KGgo=',
    );
    expect(fields.image).toEqual({ base64: 'iVBORw0KGgo=', mediaType: 'image/png' });
  });

  test('may have names with a meaning in JavaScript', async () => {
    const { records } = await read(
      ...simple('__proto__'),
      ...simple('vcalendar'),
      ...simple('type'),
      ...simple('constructor'),
    );
    expect(records.map(({ fields }) => fields.uid)).toEqual(['__proto__', 'vcalendar', 'type', 'constructor']);
  });
});

describe('The bytes of a calendar', () => {
  const folded = (fold: string) => {
    const [head, tail] = [Buffer.from([0xc3]), Buffer.from([0xa9])];
    const [before = '', after = ''] = calendar(...simple('x', 'LOCATION:Caf@ Ole')).split('@');
    return Buffer.concat([Buffer.from(before), head, Buffer.from(fold), tail, Buffer.from(after)]);
  };

  test.each(['\r\n ', '\n\t', '\r '])(
    'may have a fold %j inside a character, which is joined as bytes',
    async (fold) => {
      for (const chunkSize of [1, 3, 1000]) {
        const { records, warnings } = await readFeed(ical, folded(fold), { chunkSize });
        expect(records[0]?.fields.location).toBe('Café Ole');
        expect(warnings).toEqual([]);
      }
    },
  );

  const text = calendar(...simple('x', 'LOCATION:Café'));
  test.each([
    ['LF', text.replaceAll('\r\n', '\n'), {}],
    ['CR', text.replaceAll('\r\n', '\r'), {}],
    ['lower case', text.replace(/^[A-Z]+(:V\w+)?/gm, (name) => name.toLowerCase()), {}],
    ['a byte order mark', `\uFEFF${text}`, {}],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le'), {}],
    ['UTF-16 without', Buffer.from(text, 'utf16le'), {}],
    ['UTF-16 big-endian', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(), {}],
    ['Latin-1 as declared', Buffer.from(text, 'latin1'), { contentType: 'text/calendar; charset=iso-8859-1' }],
    [
      'Latin-1 as configured',
      Buffer.from(text, 'latin1'),
      { contentType: 'text/calendar; charset=utf-8', encoding: 'latin1' },
    ],
  ])('are read correctly with %s', async (_, content, options) => {
    for (const chunkSize of [1, 1000]) {
      const { records, warnings, error } = await readFeed(ical, content, { ...options, chunkSize });
      expect(error).toBeUndefined();
      expect(records[0]?.fields).toMatchObject({ uid: 'x', location: 'Café' });
      expect(warnings).toEqual([]);
    }
  });

  test('may be undeclared Latin-1, which is read with a warning, line by line', async () => {
    const { records, warnings } = await readFeed(ical, Buffer.from(text, 'latin1'));
    expect(records[0]?.fields.location).toBe('Café');
    expect(warnings).toMatchObject([{ at: 'line 7', message: expect.stringContaining('windows-1252') }]);
  });

  test('may be UTF-8 although another charset is declared, with a warning', async () => {
    const content = Buffer.from(calendar(...simple('x', 'LOCATION:Čajovna', 'DESCRIPTION:Frühstück')));
    const { records, warnings } = await readFeed(ical, content, { contentType: 'text/calendar; charset=iso-8859-1' });
    expect(records[0]?.fields).toMatchObject({ location: 'Čajovna', description: 'Frühstück' });
    expect(warnings).toMatchObject([{ message: expect.stringContaining('the charset windows-1252 is declared') }]);
  });

  test('may have a bad byte beside UTF-8 in a line', async () => {
    const [start = '', end = ''] = calendar(...simple('x', 'LOCATION:Dvořák – Today|s')).split('|');
    const content = Buffer.concat([Buffer.from(start), Buffer.from([0x92]), Buffer.from(end)]);
    const { records } = await readFeed(ical, content);
    expect(records[0]?.fields.location).toBe('Dvořák – Today’s');
  });
});

describe('A component', () => {
  test('with a missing or stray END is rejected alone', async () => {
    const { records, rejections, incomplete } = await read(
      ...simple('a').slice(0, -1),
      ...simple('b'),
      'SUMMARY:lost',
      'END:VEVENT',
      ...simple('c', 'BEGIN:VALARM'),
      ...simple('d'),
      ...simple('e').slice(0, -1),
    );
    expect(records.map(({ fields }) => fields.uid)).toEqual(['b', 'd']);
    expect(rejections.map(({ at, key }) => [at, key])).toEqual([
      ['VEVENT 1 (line 3)', 'a'],
      ['line 13', undefined],
      ['VEVENT 3 (line 14)', 'c'],
      ['VEVENT 5 (line 25)', 'e'],
    ]);
    expect(incomplete).toEqual([
      'the end of VEVENT 1 (line 3) is missing',
      'the beginning of the event that ends in line 13 is missing',
      'the end of VEVENT 5 (line 25) is missing',
    ]);
  });

  test.each([
    ['inside an event', calendar(...simple('a'), ...simple('b')).split('SUMMARY:b')[0] ?? ''],
    ['before END:VCALENDAR', calendar(...simple('a')).replace('END:VCALENDAR\r\n', '')],
  ])('before a cut %s is kept, and the read is incomplete', async (_, text) => {
    const { records, incomplete, rejections } = await readFeed(ical, text);
    expect(records.map(({ fields }) => fields.uid)).toEqual(['a']);
    expect(rejections).toEqual([]);
    expect(incomplete).toHaveLength(1);
  });

  test('with the lines of another one is rejected, and nothing counts as missing', async () => {
    const cut = calendar(...simple('a'), ...simple('b')).replace(/DTSTART.*?(?=BEGIN:VEVENT)/s, 'DT');
    const { records, rejections, incomplete } = await readFeed(ical, cut);
    expect(records).toEqual([]);
    expect(rejections).toMatchObject([{ reason: 'UID appears with 2 values', key: 'a' }]);
    expect(incomplete).toEqual([expect.stringContaining('has the lines of 2 events')]);
  });

  test('may be in any of several calendars', async () => {
    const { records } = await readFeed(ical, calendar(...simple('a')) + calendar(...simple('b')));
    expect(records.map(({ fields }) => fields.uid)).toEqual(['a', 'b']);
  });

  test.each(['{"error":"nope"}', 'a,b\n1,2', 'BEGIN:VCARD\nEND:VCARD'])(
    'is required: %j is not a calendar',
    async (text) => {
      expect((await readFeed(ical, text)).error?.code).toBe('FF_FEED_FORMAT');
    },
  );

  test('need not exist, because a calendar may be empty', async () => {
    const result = await read();
    expect(result).toMatchObject({ records: [], rejections: [], incomplete: [] });
    expect(result.error).toBeUndefined();
  });
});

describe('A published event', () => {
  test('has the highest SEQUENCE; equal ones are kept apart, and copies are skipped', async () => {
    const { records, warnings } = await read(
      ...simple('a', 'SEQUENCE:2', 'DESCRIPTION:new'),
      ...simple('a', 'SEQUENCE:1', 'DESCRIPTION:old'),
      ...simple('b', 'DESCRIPTION:one'),
      ...simple('b', 'DESCRIPTION:two'),
      ...simple('b', 'DESCRIPTION:one', 'DTSTAMP:20260101T000000Z'),
    );
    expect(records.map(({ fields }) => fields.description)).toEqual(['new', 'one', 'two']);
    expect(new Set(records.map(({ fields }) => fields.uid)).size).toBe(3);
    expect(warnings).toHaveLength(3);
  });

  test('is not cancelled: a cancelled one is reported', async () => {
    const { records, warnings } = await read(...simple('a', 'STATUS:CANCELLED'), ...simple('b'));
    expect(records.map(({ fields }) => fields.uid)).toEqual(['b']);
    expect(warnings).toMatchObject([{ at: 'VEVENT 1 (line 3)', message: 'the event is cancelled and not published' }]);
  });

  test('without a UID has a key made from its content', async () => {
    const lines = ['DTSTART:20260301T190000Z', 'SUMMARY:Talk'];
    const [first, again] = await Promise.all([read(...event(...lines)), read(...simple('z'), ...event(...lines))]);
    expect(first.records[0]?.fields.uid).toBe(again.records[1]?.fields.uid);
    expect(first.warnings).toHaveLength(1);
  });
});
