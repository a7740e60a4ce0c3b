import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { hashJson } from '../../../src/core/hash.ts';
import { desired, eventSync, map } from './setup.ts';

const sync = eventSync({
  map: {
    ...eventSync().map,
    description: { field: 'text', html: 'sanitize' },
    isFeatured: { field: 'flag' },
    category: { template: '{{ tags[0] | upcase }} {{ start | date: "%d %b" }}' },
    extra: { field: 'extra' },
  },
  attachments: { image: { field: 'image' } },
});

const moment = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom(date.toISOString(), date.toISOString().slice(0, 16), date.toISOString().slice(0, 10)),
  );

const anything = fc.record({
  id: fc.oneof(fc.string(), fc.integer()),
  title: fc.anything(),
  start: fc.oneof(moment, fc.anything()),
  end: fc.oneof(moment, fc.anything()),
  allDay: fc.anything(),
  text: fc.anything(),
  flag: fc.anything(),
  tags: fc.anything(),
  extra: fc.anything(),
  image: fc.anything(),
});

const good = fc.record({
  id: fc.integer(),
  title: fc.stringMatching(/^[a-z]{1,20}$/),
  start: moment,
  end: moment,
  extra: fc.dictionary(fc.string(), fc.jsonValue()),
});

describe('Records with any content', () => {
  test('A record is mapped or rejected, the same each time', () => {
    fc.assert(
      fc.property(anything, (fields) => {
        const mapped = map(sync, fields);
        expect(['desired', 'rejected']).toContain(mapped.is);
        expect(map(sync, fields)).toEqual(mapped);
      }),
    );
  });

  test('The hash of a payload does not depend on the order of keys', () => {
    const reversed = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([name, item]) => [name, reversed(item)]),
          )
        : value;
    fc.assert(
      fc.property(good, (fields) => {
        const other = reversed(fields) as Record<string, unknown>;
        expect(hashJson(desired(sync, other).payload)).toBe(hashJson(desired(sync, fields).payload));
      }),
    );
  });

  test('An event never ends before it starts', () => {
    fc.assert(
      fc.property(good, (fields) => {
        const { date, endDate, time } = desired(sync, fields).payload as {
          date: string;
          endDate: string;
          time: { start: string; end: string };
        };
        expect(`${endDate}T${time.end}` >= `${date}T${time.start}`).toBe(true);
      }),
    );
  });
});

describe('The zone of the host', () => {
  const before = process.env.TZ;
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  test('does not affect the mapping', () => {
    const records = fc.sample(good, { numRuns: 100, seed: 7 });
    const results = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland', 'Pacific/Apia'].map((zone) => {
      process.env.TZ = zone;
      return {
        offset: new Date(2026, 6, 1).getTimezoneOffset(),
        mapped: records.map((fields) => desired(sync, fields)),
      };
    });
    expect(new Set(results.map(({ offset }) => offset)).size).toBeGreaterThan(3);
    for (const { mapped } of results) expect(mapped).toEqual(results[0]?.mapped);
  });
});
