import fc from 'fast-check';
import { test } from 'vitest';
import { mutantToPlant } from '../mutants/mutant.ts';
import { played } from './events.ts';
import { histories } from './history.ts';
import { mended } from './mended.ts';
import { play, type Tally } from './play.ts';

// A mutant only has to be found.
const parameters = { ...played(80, 5_000), endOnFailure: mutantToPlant() !== undefined };
const newTally = (): Tally => ({ histories: 0, right: 0, asked: 0, documented: 0 });

// The message of a failure has the shortest history that was found, and its seed.
test('No history of readings ends in a silent wrong', { timeout: parameters.numRuns * 20_000 }, async () => {
  const tally = newTally();
  const property = fc.asyncProperty(histories, (history) => play(history, tally));
  await fc.assert(property, parameters);
  console.log(`Oracle: ${JSON.stringify(tally)}`);
});

test.each(mended)('Mended: $name', async ({ history }) => {
  await play(history, newTally());
});
