import { expect, test } from 'vitest';
import { type Judge, judgeMutants, type Verdict } from './judge-mutants.ts';
import { type Mutant, plant, plantedLine } from './mutant.ts';
import { programJudge } from './program-judge.ts';
import { huntJudge } from './simulation/hunt-judge.ts';
import { vitestJudge } from './vitest-judge.ts';

const mutant: Mutant = {
  name: 'any-day-exists',
  rule: 'A date is a day of the calendar',
  file: 'src/core/dates/iso-date.ts',
  before: '>=',
  after: '<',
};

/** Prints what is said about a mutant whose tests end in a verdict, and returns it with the result. */
async function judged(verdict: Verdict, errors = plantedLine(mutant)) {
  const lines: string[] = [];
  const judge: Judge = async (planted) => (planted ? { verdict, errors } : { verdict: { survived: true }, errors: '' });
  const allKilled = await judgeMutants([mutant], judge, (line) => lines.push(line));
  return { allKilled, text: lines.join('\n') };
}

test('All is well only if a test fails with each mutant', async () => {
  const killed = await judged({ killedBy: 'dates.test.ts: A day exists' });
  expect(killed).toMatchObject({ allKilled: true, text: expect.stringContaining('1 of 1 mutants killed') });
  expect(killed.text).toMatch(/^any-day-exists +\d+\.\d s {2}dates\.test\.ts: A day exists$/m);

  const survived = await judged({ survived: true });
  expect(survived).toMatchObject({ allKilled: false, text: expect.stringContaining('SURVIVED') });
  expect(survived.text).toContain('breaks "A date is a day of the calendar"');
});

test('A mutant that cannot be loaded, or that no test loads, is not killed', async () => {
  expect(await judged({ broken: 'no such module' })).toMatchObject({ allKilled: false });
  const unloaded = await judged({ killedBy: 'a test that fails now and then' }, '');
  expect(unloaded).toMatchObject({ allKilled: false, text: expect.stringContaining(`never load ${mutant.file}`) });
});

test('A test that fails only once does not kill', async () => {
  const asked: Array<string | undefined> = [];
  const judge: Judge = async (planted, file) => {
    asked.push(file);
    const fails = planted && file === undefined;
    return {
      verdict: fails ? { killedBy: 'a test', file: 'a.test.ts' } : { survived: true },
      errors: plantedLine(mutant),
    };
  };
  const lines: string[] = [];
  expect(await judgeMutants([mutant], judge, (line) => lines.push(line))).toBe(false);
  expect(asked).toEqual([undefined, undefined, 'a.test.ts']);
  expect(lines.join('\n')).toContain('BROKEN: failed only once: a test');
});

test('Tests that fail without a mutant judge none', async () => {
  const judge: Judge = async (planted) => {
    expect(planted).toBeUndefined();
    return { verdict: { killedBy: 'a test' }, errors: '' };
  };
  expect(await judgeMutants([mutant], judge, () => undefined)).toBe(false);
});

test('A seed in which something is found without a mutant does not kill', async () => {
  const finds = { withMutant: [3, 5], clean: [3] };
  const asked: string[] = [];
  const hunt = (first: number, seeds: number) => async (planted?: Mutant) => {
    asked.push(`${first}+${seeds}`);
    const found = (planted ? finds.withMutant : finds.clean).find((seed) => seed >= first && seed < first + seeds);
    const verdict = found === undefined ? { survived: true as const } : { killedBy: `    ${found} seeds  lost` };
    return { verdict, errors: plantedLine(mutant) };
  };

  expect(await huntJudge(hunt, 10)(mutant)).toMatchObject({ verdict: { killedBy: '    5 seeds  lost' } });
  expect(asked).toEqual(['1+10', '3+1', '4+7', '5+1']);
  expect(await huntJudge(hunt, 4)(mutant)).toMatchObject({ verdict: { survived: true } });
});

test('The text of a mutant must occur exactly once', () => {
  expect(plant('a >= b', mutant)).toBe('a < b');
  expect(plant('cost', { ...mutant, before: 'cost', after: "'$&'" })).toBe("'$&'");
  expect(() => plant('a = b', mutant)).toThrow('Mutant any-day-exists: its text occurs 0 times');
  expect(() => plant('a >= b >= c', mutant)).toThrow('occurs 2 times');
});

test('A program is run with the mutant in its modules', async () => {
  const program = `import { toApiError } from './src/sandbox/http/errors.ts';
    const { status } = toApiError(new Error());
    if (status !== 500) { console.log('found: ' + status); process.exit(1); }`;
  const judge = programJudge(['--input-type=module', '--eval', program], (output) => /^found: .*/m.exec(output)?.[0]);
  const wrong = {
    ...mutant,
    file: 'src/sandbox/http/errors.ts',
    before: 'new ApiError(500,',
    after: 'new ApiError(200,',
  };

  expect((await judge()).verdict).toEqual({ survived: true });
  expect(await judge(wrong)).toMatchObject({
    verdict: { killedBy: 'found: 200' },
    errors: expect.stringContaining(plantedLine(wrong)),
  });
  expect((await judge({ ...wrong, before: 'no such text' })).verdict).toMatchObject({
    broken: expect.stringContaining('occurs 0 times'),
  });
});

test('Vitest is run with the mutant in its modules', async () => {
  const judge = vitestJudge('test/mutants/sandbox/vitest.config.ts');
  const tests = 'test/contract/sandbox/requests.test.ts';
  const file = 'src/sandbox/http/headers.ts';
  const lax = { ...mutant, file, before: "!request.headers['user-agent']?.trim()", after: 'false' };
  // Two tests fail. Either may be the first whose result arrives.
  const killedBy = /^contract\/sandbox\/requests\.test\.ts: .*(without User-Agent|needs the token and the headers)/;
  expect(await judge(lax, tests)).toMatchObject({
    verdict: { file: tests, killedBy: expect.stringMatching(killedBy) },
    errors: expect.stringContaining(plantedLine(lax)),
  });
  expect((await judge({ ...lax, before: 'no such text' }, tests)).verdict).toMatchObject({
    broken: expect.stringContaining('occurs 0 times'),
  });
});
