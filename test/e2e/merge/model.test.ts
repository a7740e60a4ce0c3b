import fc from 'fast-check';
import { test } from 'vitest';
import { isLong, rounds } from '../../support/long.ts';
import { histories } from './model/histories.ts';
import { play } from './model/play.ts';

const HISTORIES = rounds(3, 5_000);
const { TEST_SEED } = process.env;
/** `npm test` always plays the same histories. */
const seed = TEST_SEED === undefined ? (isLong ? {} : { seed: 46 }) : { seed: Number(TEST_SEED) };

// The failure message has the story of the shortest history that was found, and what the model knows at its end.
test('Random histories of several sources match the rules of the docs', { timeout: HISTORIES * 20_000 }, async () => {
  await fc.assert(fc.asyncProperty(histories, play), { numRuns: HISTORIES, ...seed });
});
