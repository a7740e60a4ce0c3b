import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchShiftedSeries } from '../../../../src/sync/plan/shifted-series.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const start = Date.UTC(2027, 0, 5, 17);
const weekly = (count: number, from = start) => Array.from({ length: count }, (_, week) => from + week * 7 * DAY);

const everySecondDay = (count: number) => Array.from({ length: count }, (_, turn) => start + turn * 2 * DAY);

/** An occurrence at a time in ms, with its key in UTC. */
function occurrence(at: number, uid = 'course') {
  const iso = new Date(at).toISOString();
  return { key: `${uid}/${iso.slice(0, 19).replaceAll(/[-:]/g, '')}Z`, payload: { date: iso.slice(0, 10) } };
}

/** The matches, as times in ms. */
async function match(
  gone: readonly number[],
  fresh: readonly number[],
  { kept = [] as number[], today = '2026-12-01', timezone = 'Europe/Berlin' } = {},
) {
  const keysOf = (times: readonly number[]) => times.map((at) => occurrence(at));
  const read = keysOf(kept).map(({ key }) => key);
  const keysKept = async () => read;
  const links = await matchShiftedSeries(keysOf(gone), keysOf(fresh), { keysKept, today, timezone });
  const atOf = new Map([...gone, ...fresh].map((at) => [occurrence(at).key, at]));
  return links.map(([old, found]) => [atOf.get(old.key), atOf.get(found.key)]);
}

const plus = (times: readonly number[], ms: number) => times.map((at) => at + ms);
const pairs = (times: readonly number[], ms: number) => times.map((at) => [at, at + ms]);

describe('Series whose times have shifted', () => {
  test('Each occurrence is the one that is later by the amount of all, in any order', async () => {
    const times = weekly(10);
    expect(await match(times.toReversed(), plus(times, HOUR))).toEqual(pairs(times, HOUR));
    expect(await match(times, plus(times, 2 * DAY))).toEqual(pairs(times, 2 * DAY));
    expect(await match(times.slice(0, 1), plus(times.slice(0, 1), -3 * DAY))).toEqual(
      pairs(times.slice(0, 1), -3 * DAY),
    );
  });

  test('A part of a series may shift by some hours, as by new rules of its time zone', async () => {
    expect(await match(weekly(3), plus(weekly(3), HOUR), { kept: [start - 7 * DAY] })).toEqual(pairs(weekly(3), HOUR));
  });

  test('A day later by the clock of the site is one amount, although clocks change in between', async () => {
    // Saturday becomes Sunday, on which clocks change, at 18:00 in Berlin: 17:00 UTC in winter, 16:00 in summer.
    const saturdays = [Date.UTC(2027, 2, 20, 17), Date.UTC(2027, 2, 27, 17), Date.UTC(2027, 3, 3, 16)];
    const sundays = [Date.UTC(2027, 2, 21, 17), Date.UTC(2027, 2, 28, 16), Date.UTC(2027, 3, 4, 16)];
    expect(await match(saturdays, sundays)).toHaveLength(3);
    expect(await match(saturdays, sundays, { timezone: 'UTC' })).toEqual([]);
  });

  test('Past occurrences may be without a new one, and some new ones without an old one', async () => {
    const times = weekly(10);
    const inWindow = times.slice(3);
    const reached = plus([...inWindow, start + 70 * DAY], HOUR);
    expect(await match(times, reached, { today: '2027-01-26' })).toEqual(pairs(inWindow, HOUR));
    expect(await match(times, reached, { today: '2027-01-12' })).toEqual([]);
    expect(await match(times.slice(0, 3), plus(weekly(6), HOUR))).toEqual([]);
  });

  test.each([
    ['an occurrence kept its time', weekly(3), plus(weekly(3), DAY), { kept: [start + 50 * DAY] }],
    ['the amounts differ', weekly(3), [start + HOUR, start + 7 * DAY + 2 * HOUR, start + 14 * DAY + HOUR], {}],
    ['an occurrence is missing', weekly(4), plus(weekly(3), HOUR), {}],
    ['earlier and later are as far', everySecondDay(3), plus(everySecondDay(3), DAY), { today: '2027-01-06' }],
  ])('Nothing is matched if %s', async (_, gone, fresh, more) => {
    expect(await match(gone, fresh, more)).toEqual([]);
  });

  test('Other series, other forms of RECURRENCE-ID, and keys that are none, are left alone', async () => {
    const keyed = (...keys: string[]) => keys.map((key) => ({ key, payload: {} }));
    const all = { keysKept: async () => [], today: '2027-01-01', timezone: 'UTC' };
    expect(await matchShiftedSeries(keyed('a/20270301'), keyed('b/20270302'), all)).toEqual([]);
    expect(await matchShiftedSeries(keyed('a/20270301'), keyed('a/20270301T100000Z'), all)).toEqual([]);
    expect(await matchShiftedSeries(keyed('a/20271399'), keyed('a/20271398'), all)).toEqual([]);
    expect(await matchShiftedSeries(keyed('a', 'x/1'), keyed('b', 'x/2'), all)).toEqual([]);
    expect(await matchShiftedSeries(keyed('a/20270301'), keyed('a/20270303'), all)).toHaveLength(1);
  });

  test('Any set of times is matched one to one if all shift by less than half their distance', async () => {
    const gaps = fc.array(fc.integer({ min: 4, max: 400 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(gaps, fc.constantFrom(-HOUR, HOUR), async (hours, shift) => {
        let at = start;
        const times = hours.map((gap) => (at += gap * HOUR));
        // By the clock of a site without summer time.
        expect(await match(times, plus(times, shift), { timezone: 'UTC' })).toEqual(pairs(times, shift));
      }),
    );
  });
});
