import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { covers, missedTick } from '../../../../src/app/actions/due.ts';
import type { Schedule } from '../../../../src/core/dates/schedule.ts';
import { lastCronTick, nextTick } from '../../../../src/core/dates/ticks.ts';
import { rounds } from '../../../support/long.ts';

const minute = 60_000;
const quarterly: Schedule = { cron: '*/15 * * * *', timezone: 'America/New_York' };
const at = (time: string) => Date.parse(`2027-03-01T${time}Z`);

describe('Missed ticks', () => {
  test('A missed cron tick is the last one, unless a run began then or later', () => {
    const now = at('10:20:00');
    expect(missedTick(quarterly, { agoMs: 6 * minute }, now)).toBe(at('10:15:00'));
    expect(missedTick(quarterly, { agoMs: 300 * minute }, now)).toBe(at('10:15:00'));
    expect(missedTick(quarterly, { agoMs: 5 * minute }, now)).toBeUndefined();
    expect(missedTick(quarterly, { agoMs: 15 * minute }, at('10:15:00'))).toBe(at('10:15:00'));
  });

  test('A missed interval tick is due when the interval has passed since the last run', () => {
    expect(missedTick({ everyMs: minute }, { agoMs: 3 * minute }, 1e9)).toBe(1e9 - 2 * minute);
    expect(missedTick({ everyMs: minute }, { agoMs: minute - 1 }, 1e9)).toBeUndefined();
  });

  test('A sync that never ran is due at once by interval, and waits for its tick by cron', () => {
    expect(missedTick({ everyMs: minute }, undefined, 1e9)).toBe(1e9);
    expect(missedTick(quarterly, undefined, 1e9)).toBeUndefined();
  });
});

test('A run covers no later tick if the clock is behind', () => {
  expect(covers({ agoMs: 10 }, 2_000, 1_000)).toBe(false);
  expect(covers({ agoMs: 0 }, 2_000, 1_000)).toBe(true);
  expect(covers({ agoMs: -3_600_000 }, 1_000, 1_000)).toBe(false);
});

test('Interval ticks are counted from the beginning of the interval, and cron ticks are absolute', () => {
  expect(nextTick({ everyMs: 10 }, 105, 100)).toBe(110);
  expect(nextTick({ everyMs: 10 }, 110, 100)).toBe(120);
  expect(nextTick({ everyMs: 10 }, 50, 100)).toBe(110);
  expect(nextTick(quarterly, at('10:15:00'), 0)).toBe(at('10:30:00'));
});

// Any process may look for a missed tick or receive a tick, late, twice or not at all, as long as one looks at the end.
test('Every tick causes exactly one run', () => {
  const crons = ['*/5 * * * *', '7 3 * * *', '0 2 * * 0', '*/20 * * * * *', '30 2 * * *'];
  const cron = fc.record({
    cron: fc.constantFrom(...crons),
    timezone: fc.constantFrom('America/New_York', 'Europe/Berlin', 'UTC'),
  });
  const day = 24 * 60 * minute;
  const moments = fc.array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 2 * day }), is: fc.constantFrom('look', 'tick', 'manual') }),
    { minLength: 1, maxLength: 30 },
  );
  // Around the days on which the clocks change.
  const from = fc.constantFrom(Date.parse('2027-03-12T00:00Z'), Date.parse('2027-10-30T00:00Z'));
  fc.assert(
    fc.property(cron, moments, from, (schedule, sequence, start) => {
      let now = start;
      let lastRun = start;
      for (const { afterMs, is } of [...sequence, { afterMs: 0, is: 'look' }]) {
        now += afterMs;
        const last = { agoMs: now - lastRun };
        const tick =
          is === 'look' ? missedTick(schedule, last, now) : lastCronTick(schedule.cron, schedule.timezone, now);
        const runs = is === 'manual' || (tick !== undefined && !covers(last, tick, now));
        if (runs && is !== 'manual') {
          const first = nextTick(schedule, lastRun, 0) ?? Number.POSITIVE_INFINITY;
          expect(first, 'a tick since the last run').toBeLessThanOrEqual(now);
        }
        if (runs) lastRun = now;
      }
      expect(lastCronTick(schedule.cron, schedule.timezone, now) ?? 0, 'no tick is left').toBeLessThanOrEqual(
        Math.max(lastRun, start),
      );
    }),
    { numRuns: rounds(50, 5_000) },
  );
});
