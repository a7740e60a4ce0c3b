import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateAt } from '../../../../src/core/dates/iso-date.ts';
import { toIso } from '../../../../src/core/dates/wall-time.ts';
import { namedZone, toWallTime } from '../../../../src/core/dates/zone.ts';
import type { Candidate } from '../../../../src/sync/sameness/candidate.ts';
import { matchShifts } from '../../../../src/sync/sameness/shifted-series.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const start = Date.UTC(2027, 0, 5, 17);
const weekly = (count: number, from = start) => Array.from({ length: count }, (_, week) => from + week * 7 * DAY);

const everySecondDay = (count: number) => Array.from({ length: count }, (_, turn) => start + turn * 2 * DAY);

/** An occurrence at a time in ms, in a series that is written in UTC. */
function occurrence(at: number, timezone = 'Europe/Berlin'): Candidate {
  const date = dateAt(at, timezone);
  const time = { start: toIso(toWallTime(at, namedZone(timezone))).slice(11) };
  const slot = new Date(at).toISOString().slice(0, 19);
  return { key: slot, resource: 'events', payload: { date, time }, occurrence: { series: 'course', slot } };
}

/** The matches, as times in ms. */
function match(
  gone: readonly number[],
  fresh: readonly number[],
  { kept = [] as number[], now = '2026-12-01', timezone = 'Europe/Berlin', amount = 'any' as 'any' | 'hours' } = {},
) {
  const at = (times: readonly number[]) => times.map((time) => occurrence(time, timezone));
  const surroundings = { kept: at(kept).flatMap(({ occurrence: kept }) => kept ?? []), now };
  const links = matchShifts(at(gone), at(fresh), surroundings, amount);
  return links.map(([old, found]) => [Date.parse(`${old.key}Z`), Date.parse(`${found.key}Z`)]);
}

const plus = (times: readonly number[], ms: number) => times.map((at) => at + ms);
const pairs = (times: readonly number[], ms: number) => times.map((at) => [at, at + ms]);

describe('Series whose times have shifted', () => {
  test('Each occurrence is the one that is later by the amount of all, in any order', () => {
    const times = weekly(10);
    expect(match(times.toReversed(), plus(times, HOUR))).toEqual(pairs(times, HOUR));
    expect(match(times, plus(times, 2 * DAY))).toEqual(pairs(times, 2 * DAY));
    expect(match(times.slice(0, 1), plus(times.slice(0, 1), -3 * DAY))).toEqual(pairs(times.slice(0, 1), -3 * DAY));
  });

  test('A part of a series may shift by some hours, as by new rules of its time zone', () => {
    expect(match(weekly(3), plus(weekly(3), HOUR), { kept: [start - 7 * DAY] })).toEqual(pairs(weekly(3), HOUR));
  });

  test('A day later by the clock of the site is one amount, although clocks change in between', () => {
    // Saturday becomes Sunday, on which clocks change, at 18:00 in Berlin: 17:00 UTC in winter, 16:00 in summer.
    const saturdays = [Date.UTC(2027, 2, 20, 17), Date.UTC(2027, 2, 27, 17), Date.UTC(2027, 3, 3, 16)];
    const sundays = [Date.UTC(2027, 2, 21, 17), Date.UTC(2027, 2, 28, 16), Date.UTC(2027, 3, 4, 16)];
    expect(match(saturdays, sundays)).toHaveLength(3);
    expect(match(saturdays, sundays, { timezone: 'UTC' })).toEqual([]);
  });

  test('Past occurrences may be without a new one, and some new ones without an old one', () => {
    const times = weekly(10);
    const inWindow = times.slice(3);
    const reached = plus([...inWindow, start + 70 * DAY], HOUR);
    expect(match(times, reached, { now: '2027-01-26' })).toEqual(pairs(inWindow, HOUR));
    expect(match(times, reached, { now: '2027-01-12' })).toEqual([]);
    expect(match(times.slice(0, 3), plus(weekly(6), HOUR))).toEqual([]);
  });

  test.each([
    ['an occurrence kept its time', weekly(3), plus(weekly(3), DAY), { kept: [start + 50 * DAY] }],
    ['the amounts differ', weekly(3), [start + HOUR, start + 7 * DAY + 2 * HOUR, start + 14 * DAY + HOUR], {}],
    ['an occurrence is missing', weekly(4), plus(weekly(3), HOUR), {}],
    ['earlier and later are as far', everySecondDay(3), plus(everySecondDay(3), DAY), { now: '2027-01-06' }],
  ])('Nothing is matched if %s', (_, gone, fresh, more) => {
    expect(match(gone, fresh, more)).toEqual([]);
  });

  test('A shift of hours is one whatever is left, a larger one only if none of the later ones is left', () => {
    const [times, later] = [weekly(3), [start + 50 * DAY]];
    expect(match(times, plus(times, 3 * HOUR), { kept: later, amount: 'hours' })).toHaveLength(3);
    expect(match(times, plus(times, 4 * HOUR), { amount: 'hours' })).toEqual([]);
    expect(match(times, plus(times, DAY), { kept: [start - 7 * DAY] })).toHaveLength(3);
    expect(match(times, plus(times, DAY), { kept: [start + 8 * DAY] })).toEqual([]);
  });

  test('Occurrences that are over have left the feed, and those that follow them are others', () => {
    expect(match([start], [start + 7 * DAY], { now: '2027-01-06' })).toEqual([]);
    expect(match([start], [start + 7 * DAY], { now: '2027-01-05' })).toHaveLength(1);
  });

  test('Other series, and records that are no occurrences, are left alone', () => {
    const [old, found] = [occurrence(start), occurrence(start + HOUR)];
    const surroundings = { kept: [], now: '2027-01-01' };
    const other = { ...found, occurrence: { series: 'other', slot: found.key } };
    expect(matchShifts([old], [other], surroundings, 'any')).toEqual([]);
    const { occurrence: _, ...single } = found;
    expect(matchShifts([old], [single], surroundings, 'any')).toEqual([]);
    expect(matchShifts([single], [found], surroundings, 'any')).toEqual([]);
  });

  test('Any set of times is matched one to one if all shift by less than half their distance', () => {
    const gaps = fc.array(fc.integer({ min: 4, max: 400 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(gaps, fc.constantFrom(-HOUR, HOUR), (hours, shift) => {
        let at = start;
        const times = hours.map((gap) => (at += gap * HOUR));
        // By the clock of a site without summer time.
        expect(match(times, plus(times, shift), { timezone: 'UTC' })).toEqual(pairs(times, shift));
      }),
    );
  });
});
