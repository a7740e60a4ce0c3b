import { afterEach, expect, test } from 'vitest';
import { draw } from '../play.ts';
import { askForFeatures, type FeatureName, features } from './features.ts';

/** Seeds in a row begin alike. */
const SEEDS = Array.from({ length: 64 }, (_, nth) => 1 + 8 * nth);
const names = Object.keys(features) as FeatureName[];

afterEach(() => {
  delete process.env.FEEDFERRY_SIMULATION_FEATURES;
});

test('Most runs are ordinary, and none has a feature that is off', () => {
  const drawn = SEEDS.map((seed) => draw(seed).settings.features);
  expect(drawn.filter((each) => each.length === 0).length).toBeGreaterThan(SEEDS.length / 3);
  expect(drawn.flat().filter((name) => 'offUntil' in features[name])).toEqual([]);
});

test.each(names)('"%s" can be asked for, and adds to what happens besides', (name) => {
  const ordinary = SEEDS.map((seed) => draw(seed));
  askForFeatures([name]);
  const asked = SEEDS.map((seed) => draw(seed));

  expect(asked.some(({ settings }) => settings.features.includes(name))).toBe(true);
  for (const [nth, { happenings }] of ordinary.entries())
    expect(asked[nth]?.happenings).toEqual(expect.arrayContaining(happenings));
});

test('A feature that is not in the list is refused', () => {
  expect(() => askForFeatures(['no such thing'])).toThrow('not "no such thing"');
});
