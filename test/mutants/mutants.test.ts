import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { heuristics } from '../../bench/corrections/heuristics.ts';
import { identityMutants } from './identity/mutants.ts';
import { plant, root } from './mutant.ts';
import { oracleMutants } from './oracle/mutants.ts';
import { sandboxMutants } from './sandbox/mutants.ts';
import { simulationMutants } from './simulation/mutants.ts';

describe.each([
  { of: 'the sandbox and the client', mutants: sandboxMutants, least: 45 },
  { of: 'the judgement of sameness', mutants: identityMutants, least: 8 },
  { of: 'the product, for simulated runs', mutants: simulationMutants, least: 45 },
  { of: 'the product, for the oracle', mutants: oracleMutants, least: 5 },
  { of: 'the inference, for the bench of corrections', mutants: heuristics, least: 14 },
])('Mutants of $of', ({ mutants, least }) => {
  test.each(mutants)('$name can be planted and is TypeScript', (mutant) => {
    expect(existsSync(join(root, mutant.file))).toBe(true);
    const source = readFileSync(join(root, mutant.file), 'utf8');
    const planted = plant(source, mutant);
    expect(planted).not.toBe(source);
    expect(parseSync(mutant.file, planted).errors).toEqual([]);
  });

  test('There are enough, each once', () => {
    const names = mutants.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(least);
    expect(new Set(names).size).toBe(names.length);
    const changes = mutants.map(({ file, before, after }) => JSON.stringify([file, before, after]));
    expect(new Set(changes).size).toBe(changes.length);
  });
});
