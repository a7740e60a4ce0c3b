import { expect, test } from 'vitest';
import { ical } from '../../../../connectors/ical/ical.ts';
import { calendar, event } from '../ical-lines.ts';
import { readFeed } from '../read-feed.ts';

const window = { from: '2020-01-01', to: '2020-12-31' };

test('The fields of a series are read once for all its occurrences', async () => {
  const dates = Array.from({ length: 3000 }, (_, index) => new Date(Date.UTC(2015, 0, 1 + index)).toISOString());
  const lines = dates.map((date) => `RDATE:${date.slice(0, 10).replaceAll('-', '')}T120000Z`);
  const { records } = await readFeed(ical, calendar(...event('UID:x', 'DTSTART:20150101T120000Z', ...lines)), {
    window,
  });
  expect(records).toHaveLength(366);
  const lists = new Set(records.map(({ fields }) => fields.rdate));
  expect([...lists]).toEqual([lines.map((line) => line.slice('RDATE:'.length))]);
});

test('A calendar with too many dates ends with a warning, proves nothing missing, and the rest of it is read', async () => {
  const costly = Array.from({ length: 4000 }, (_, index) =>
    event(
      `UID:${index}`,
      'DTSTART:20100101T000000Z',
      'RRULE:FREQ=MONTHLY;COUNT=9999;BYDAY=1MO,2TU,3WE,4TH,-1FR;BYMONTH=1,3',
    ),
  );
  const single = event('UID:single', 'DTSTART:22000601T100000Z');
  const far = { from: '2200-01-01', to: '2200-12-31' };
  const { records, warnings, incomplete } = await readFeed(ical, calendar(...costly.flat(), ...single), {
    window: far,
  });
  expect(records.some(({ fields }) => fields.uid === 'single')).toBe(true);
  expect(warnings.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^\d+ further series are not published/),
  );
  expect(incomplete).toContainEqual(expect.stringMatching(/too many dates/));
});
