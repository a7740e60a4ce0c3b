import { type Mutant, plantedLine } from './mutant.ts';

/**
 * What the tests say about a mutant: the name of the first test that failed, and its file; `survived` if none did;
 * `broken` if the program could not even be loaded or the tests not be run, so that nothing was tested.
 */
export type Verdict = { killedBy: string; file?: string } | { survived: true } | { broken: string };

/** Runs the tests, or one file of them, with a mutant or without one. `errors` is what they wrote to stderr. */
export type Judge = (mutant?: Mutant, file?: string) => Promise<{ verdict: Verdict; errors: string }>;

/**
 * Runs the tests once without a mutant, which must pass, then with each, and prints a line for each.
 * @returns whether every mutant was killed.
 */
export async function judgeMutants(
  mutants: readonly Mutant[],
  judge: Judge,
  print: (line: string) => void = console.log,
): Promise<boolean> {
  const { verdict: clean } = await judge();
  if (!('survived' in clean)) {
    print(`Nothing was tested: the tests fail without a mutant. ${wordsOf(clean)}`);
    return false;
  }
  const width = Math.max(...mutants.map(({ name }) => name.length));
  const left: Mutant[] = [];
  for (const mutant of mutants) {
    const begunAt = performance.now();
    const verdict = await judgeOne(mutant, judge);
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(1);
    print(`${mutant.name.padEnd(width)}  ${seconds.padStart(5)} s  ${wordsOf(verdict)}`);
    if (!('killedBy' in verdict)) left.push(mutant);
  }
  print(`\n${mutants.length - left.length} of ${mutants.length} mutants killed`);
  for (const { name, rule, file } of left) print(`  not killed: ${name} (${file}) breaks "${rule}"`);
  return left.length === 0;
}

/** A mutant that no test loads, or at which a test fails only now and then, is not killed. */
async function judgeOne(mutant: Mutant, judge: Judge): Promise<Verdict> {
  const { verdict, errors } = await judge(mutant);
  if ('broken' in verdict) return verdict;
  if (!errors.includes(plantedLine(mutant))) return { broken: `the tests never load ${mutant.file}` };
  if ('survived' in verdict || verdict.file === undefined) return verdict;
  const { verdict: second } = await judge(mutant, verdict.file);
  return 'killedBy' in second ? verdict : { broken: `failed only once: ${verdict.killedBy}` };
}

function wordsOf(verdict: Verdict): string {
  if ('killedBy' in verdict) return verdict.killedBy;
  return 'broken' in verdict ? `BROKEN: ${verdict.broken}` : 'SURVIVED';
}
