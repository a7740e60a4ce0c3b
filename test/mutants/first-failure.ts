import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import type { Verdict } from './judge-mutants.ts';
import { root } from './mutant.ts';

/** Starts the line on stdout that has the verdict as JSON. */
export const verdictPrefix = 'Verdict: ';

/**
 * Reporter of Vitest that prints the verdict as soon as it is known: at the first test that fails, else at the end.
 * Later lines do not count: tests that were broken off fail, too.
 */
export default class FirstFailure implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.result().state === 'failed') print(killed(test.module, test.fullName));
  }

  /** Errors outside of tests: a file that cannot be loaded has no tests; one that has some could not prepare them. */
  onTestModuleEnd(module: TestModule): void {
    const [error] = module.errors();
    if (!error) return;
    const verdict = killed(module, error.message.replace(/\s+/g, ' '));
    print(module.children.size === 0 ? { broken: verdict.killedBy } : verdict);
  }

  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: TestRunEndReason): void {
    const passed = reason === 'passed' && modules.length > 0;
    print(passed ? { survived: true } : { broken: 'Vitest failed, but no test did' });
  }
}

function print(verdict: Verdict): void {
  process.stdout.write(`${verdictPrefix}${JSON.stringify(verdict)}\n`);
}

function killed({ moduleId }: TestModule, by: string) {
  const file = relative(root, moduleId);
  return { killedBy: `${file.replace(/^test\//, '')}: ${by}`, file };
}
