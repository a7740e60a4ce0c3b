// node --import ./test/mutants/plant-in-node.ts test/mutants/simulation/hunt.ts --first N --seeds N: plays simulated runs from a seed
// on, up to the first that finds something. Prints its seed and what it found, and ends with 1.
import { parseArgs } from 'node:util';
import { type Played, play } from '../../simulation/play.ts';

const { values } = parseArgs({
  options: { first: { type: 'string', default: '1' }, seeds: { type: 'string', default: '1' } },
});
const [first, seeds] = [Number(values.first), Number(values.seeds)];

/** A bug may keep a run from being played at all. */
async function findingsOf(seed: number): Promise<Played['findings']> {
  return play(seed).then(
    ({ findings }) => findings,
    (error: unknown) => [{ is: 'broken', what: String(error) }],
  );
}

for (let seed = first; seed < first + seeds && process.exitCode !== 1; seed += 1) {
  const [finding] = await findingsOf(seed);
  if (!finding) continue;
  console.log(`Seed ${seed}: ${finding.is}: ${finding.what.replace(/\s+/g, ' ')}`);
  process.exitCode = 1;
}
// What a bug has left behind must not keep the process alive.
process.exit();
