import { describe, expect, test } from 'vitest';
import { ical } from '../../../../connectors/ical/ical.ts';
import { calendar, event } from '../ical-lines.ts';
import { readFeed } from '../read-feed.ts';
import { readLines } from './read-lines.ts';

const day = ['UID:x', 'DTSTART;VALUE=DATE:20260701'];

describe('A text is decoded', () => {
  test.each([
    ['quoted-printable in UTF-8', ['SUMMARY;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9 =3D ok'], 'Café = ok'],
    ['in lower case', ['summary;encoding=quoted-printable:Caf=c3=a9'], 'Café'],
    ['in another charset', ['SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:F=FChrung'], 'Führung'],
    ['in windows-1252 without a charset', ['SUMMARY;ENCODING=QUOTED-PRINTABLE:F=FChrung'], 'Führung'],
    ['in an unknown charset', ['SUMMARY;CHARSET=X-ODD;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9'], 'Café'],
    ['in Shift_JIS, also beside letters', ['SUMMARY;CHARSET=SHIFT_JIS;ENCODING=QUOTED-PRINTABLE:=83A=83=81'], 'アメ'],
    ['a parameter without a name', ['SUMMARY;QUOTED-PRINTABLE:Caf=C3=A9'], 'Café'],
    ['blanks around names', ['SUMMARY ; ENCODING = QUOTED-PRINTABLE ;LANGUAGE=de:Caf=C3=A9'], 'Café'],
    ['a semicolon at the end of the parameters', ['SUMMARY;ENCODING=QUOTED-PRINTABLE;:Caf=C3=A9'], 'Café'],
    ['line breaks', ['SUMMARY;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo'], 'one\ntwo'],
    ['escapes of iCalendar as well', ['SUMMARY;ENCODING=QUOTED-PRINTABLE:one\\, =C3=A4\\ntwo'], 'one, ä\ntwo'],
    ['letters beside the escapes', ['SUMMARY;ENCODING=QUOTED-PRINTABLE:Café f=C3=BCr alle'], 'Café für alle'],
    ['signs of equality that escape nothing', ['SUMMARY;ENCODING=QUOTED-PRINTABLE:1+1=2, a=b'], '1+1=2, a=b'],
    ['base64', ['SUMMARY;ENCODING=BASE64:RsO8aHJ1bmc='], 'Führung'],
    ['base64 with its short name, folded', ['SUMMARY;ENCODING=b:RsO8aH', ' J1bmc='], 'Führung'],
    ['nothing', ['SUMMARY;ENCODING=8BIT:a=C3'], 'a=C3'],
  ])('from %s', async (_, lines, title) => {
    const { fields, warnings } = await readLines(event(...day, ...lines));
    expect(fields).toMatchObject([{ summary: title }]);
    expect(warnings).toEqual([]);
  });

  test.each([
    ['continues', ['über=', 'all'], 'überall'],
    ['may be at a blank', ['ein=', ' Tag'], 'ein Tag'],
    ['may be in a character', ['Caf=C3=', '=A9'], 'Café'],
    ['may be folded in a character', ['Caf=C3=', ' =A9'], 'Café'],
    ['may be folded in each line', ['a=', ' b=', ' c=', ' d'], 'abcd'],
    ['keeps the blanks of some lines', ['a=', ' b=', 'c=', ' d'], 'a bc d'],
    ['may be beside a fold', ['a', ' b=', 'c', ' d'], 'abcd'],
    ['ends before a blank line', ['end=', '', 'LOCATION:Hall'], 'end'],
    ['ends before another event property', ['end=', 'DTEND;VALUE=DATE:20260702'], 'end'],
  ])('and a soft line break %s: %j', async (_, [first = '', ...more], title) => {
    const lines = [`SUMMARY;ENCODING=QUOTED-PRINTABLE:${first}`, ...more];
    for (const chunkSize of [1, 1000]) {
      const { records } = await readFeed(ical, calendar(...event(...day, ...lines)), { chunkSize });
      expect(records).toMatchObject([{ fields: { summary: title, start: '2026-07-01', end: '2026-07-01' } }]);
    }
  });

  test('but a line that is not quoted-printable may end with =', async () => {
    const { fields } = await readLines(event(...day, 'SUMMARY:a =', 'LOCATION:Hall'));
    expect(fields).toMatchObject([{ summary: 'a =', location: 'Hall' }]);
  });

  test('line by line, if its bytes are in the charset that the line declares', async () => {
    const lines = ['SUMMARY;CHARSET=windows-1251:\xcc\xee\xf1\xea\xe2\xe0', 'LOCATION;CHARSET=ISO-8859-1:Caf\xe9'];
    const bytes = Buffer.from(calendar(...event(...day, ...lines)), 'latin1');
    const { records, warnings } = await readFeed(ical, bytes);
    expect(records).toMatchObject([{ fields: { summary: 'Москва', location: 'Café' } }]);
    expect(warnings).toEqual([]);
  });
});

describe('A warning says', () => {
  test.each(['SUMMARY:Caf=C3=A9', 'DESCRIPTION:one=0D=0Atwo', 'LOCATION:M=FCnchen'])(
    'that a text looks encoded: %s',
    async (line) => {
      const { warnings } = await readLines(event(...day, line));
      expect(warnings).toEqual([expect.stringMatching(/looks like quoted-printable text.*ENCODING=QUOTED-PRINTABLE/)]);
    },
  );

  test('that base64 is damaged', async () => {
    const { fields, warnings } = await readLines(event(...day, 'SUMMARY;ENCODING=BASE64:Führung'));
    expect(fields).toMatchObject([{ summary: 'Führung' }]);
    expect(warnings).toEqual(['SUMMARY is not valid base64, and is kept as written: Führung']);
  });

  test.each([
    'SUMMARY:a=b',
    'DESCRIPTION:https://example.org/?q=C3PO&n=20&name=Edward&s=EF1',
    'URL:https://example.org/?q=C3=A9',
  ])('nothing of %s', async (line) => {
    expect((await readLines(event(...day, line))).warnings).toEqual([]);
  });
});

test('Files in base64 are kept as they are', async () => {
  const { fields } = await readLines(event(...day, 'ATTACH;FMTTYPE=image/png;ENCODING=BASE64:iVBORw0KGgo='));
  expect(fields).toMatchObject([{ image: { base64: 'iVBORw0KGgo=', mediaType: 'image/png' } }]);
});

describe('In vCalendar 1.0', () => {
  const read = async (...lines: string[]) => {
    const text = calendar(...event('UID:x', ...lines)).replace('VERSION:2.0', 'VERSION:1.0');
    const { records, rejections } = await readFeed(ical, text, { window: { from: '2026-01-01', to: '2026-12-31' } });
    return { fields: records.map(({ fields }) => fields), rejections };
  };

  test.each(['D1 #3', 'w2  tu  th $ #3', 'MD1 15 LD #4', 'MP1 1+ SU 1- FR #4', 'YM1 1 2 #0', 'D1 0600 1200 #10'])(
    'RRULE:%s rejects the event with a reason, and no other',
    async (rule) => {
      const other = event('UID:y', 'DTSTART:20260106T100000', 'SUMMARY;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9');
      const { fields, rejections } = await read(
        'DTSTART:20260105T100000',
        `RRULE:${rule}`,
        'END:VEVENT',
        ...other.slice(0, -1),
      );
      expect(fields).toMatchObject([{ uid: 'y', summary: 'Café' }]);
      expect(rejections).toMatchObject([
        {
          code: 'FF_RECORD_MALFORMED',
          reason: expect.stringContaining('a rule of vCalendar 1.0, which is not supported'),
        },
      ]);
    },
  );

  test('lists are separated by semicolons, and other properties do no harm', async () => {
    const { fields } = await read(
      'DTSTART:20260105T100000',
      'RRULE:FREQ=DAILY;COUNT=4',
      'EXDATE:20260106T100000;20260107T100000',
      'CATEGORIES:APPOINTMENT;EDUCATION\\;2',
      'DCREATED:20260101T000000',
      'AALARM;TYPE=WAVE;VALUE=URL:20260105T093000;;;file:///alarm.wav',
      'ATTENDEE;NEEDS-ACTION:Ada',
      'STATUS:NEEDS ACTION',
    );
    expect(fields.map(({ start }) => String(start).slice(5, 10))).toEqual(['01-05', '01-08']);
    expect(fields[0]?.categories).toEqual(['APPOINTMENT', 'EDUCATION;2']);
  });

  test.each<[string, string, string, number]>([
    ['fits the source', 'TZ:-05', '2026-07-05T10:00:00-04:00[America/New_York]', 0],
    ['is another one', 'TZ:+0100', '2026-07-05T10:00:00+01:00[+01:00]', 1],
    ['cannot be read', 'TZ:somewhere', '2026-07-05T10:00:00-04:00[America/New_York]', 0],
  ])(
    'the offset of the calendar counts for times without a zone, unless it is that of the source: it %s',
    async (_, line, start, warned) => {
      const text = calendar(line, ...event('UID:x', 'DTSTART:20260705T100000', 'DTEND:20260705T110000'));
      const { records, warnings } = await readFeed(ical, text.replace('VERSION:2.0', 'VERSION:1.0'));
      expect(records).toMatchObject([{ fields: { start } }]);
      expect(warnings).toHaveLength(warned);
    },
  );
});
