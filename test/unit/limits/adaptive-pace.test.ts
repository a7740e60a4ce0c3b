import { describe, expect, test } from 'vitest';
import { compare } from '../../../bench/auto/compare.ts';
import { type Profile, profiles } from '../../../bench/auto/profiles.ts';
import { type Outcome, simulate } from '../../../bench/auto/simulate.ts';
import { rounds } from '../../support/long.ts';

const afterAMinute = { most: 8, from: 60_000, until: 150_000 };
const profile = (name: string) => profiles.find((each) => each.name === name)!;

/** A CMS whose response times vary widely, whatever its load. */
const varied: Profile = {
  name: 'varied',
  cms: () => (request) => ({ status: 200, tookMs: -50 * Math.log(1 - request.random()) }),
};

/** A CMS that refuses requests at random, whatever their rate. */
const moody: Profile = {
  name: 'moody',
  cms: () => (request) => ({ status: request.random() < 0.02 ? 429 : 200, tookMs: 20, retryAfterMs: 1_000 }),
};

describe('The pace that is found for a CMS', () => {
  // Requests of 1 ms are so many that a few seconds are enough.
  const afterSeconds = { most: 8, from: 5_000, until: 9_000 };
  test.each(profiles.map(({ name }) => name))('is as good as the best fixed one, and gentle: %s', (name) => {
    expect(compare(profile(name), name === '0 ms' ? afterSeconds : afterAMinute).misses).toEqual([]);
  });

  test.each(['0 ms', '20 ms', '200 ms'])('reaches the most requests in flight within 3 s, and stays: %s', (name) => {
    const { changes } = simulate(profile(name), { most: 8, from: 0, until: name === '0 ms' ? 8_000 : 30_000 });
    const reached = changes.findIndex(({ pace }) => pace.limit === 8);
    expect(changes[reached]?.at).toBeLessThan(3_000);
    expect(changes.slice(reached).every(({ pace }) => pace.limit === 8)).toBe(true);
  });

  test('is limited by a rate if the CMS refuses what exceeds one', () => {
    const { perSecond } = simulate(profile('429 above 5 a second'), afterAMinute);
    expect(perSecond).toBeGreaterThan(4.25);
  });

  test('returns to the most a few seconds after all responses became slower', () => {
    const { changes } = simulate(profile('slow hour'), { most: 8, from: 0, until: 90_000 });
    const slower = changes.filter(({ at }) => at > 20_000);
    expect(Math.min(...slower.map(({ pace }) => pace.limit))).toBeLessThan(8);
    expect(slower.find(({ pace }) => pace.limit === 8)?.at).toBeLessThan(28_000);
  });

  test.each([varied, moody])('does not depend on what varies at random: $name', (random) => {
    const seeds = Array.from({ length: rounds(3, 10) }, (_, index) => index + 1);
    const slow = seeds.filter((seed) => {
      const { found, best } = compare(random, { ...afterAMinute, seed });
      return found.perSecond < 0.8 * best;
    });
    expect(slow).toEqual([]);
  });

  test('is used from the start by the next process', () => {
    const firstSecond = { most: 8, from: 0, until: 1_000 };
    const first = simulate(profile('20 ms'), firstSecond);
    const next = simulate(profile('20 ms'), { ...firstSecond, start: knownFrom(first) });
    expect(first.perSecond).toBeLessThan(350);
    expect(next.perSecond).toBeGreaterThan(390);
  });

  test('tries again what was too much if the clock has gone back since', () => {
    const start = knownFrom(simulate(profile('20 ms'), { most: 4, from: 0, until: 5_000 }));
    const ahead = { at: 5, until: 1_000_000_000, forMs: 10_000 };
    const { pace } = simulate(profile('20 ms'), {
      ...{ most: 8, from: 0, until: 5_000 },
      start: { ...start, hold: ahead },
    });
    expect(pace?.limit).toBe(8);
  });
});

function knownFrom({ pace }: Outcome) {
  if (!pace) throw new Error('nothing was found');
  return pace;
}
