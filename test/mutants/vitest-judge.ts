import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Judge, Verdict } from './judge-mutants.ts';
import { mutantVariable, root } from './mutant.ts';

/** What Vitest's JSON reporter writes, as far as it is used. */
interface Report {
  success: boolean;
  numPassedTests: number;
  testResults: Array<{
    name: string;
    message: string;
    assertionResults: Array<{ status: string; fullName: string }>;
  }>;
}

/** Runs the tests of a Vitest config that plants mutants (plant-in-vite.ts), all or some files, up to the first that fails. */
export function vitestJudge(config: string, files: string[] = []): Judge {
  return async (mutant) => {
    const folder = await mkdtemp(join(tmpdir(), 'feedferry-mutants-'));
    const report = join(folder, 'report.json');
    const options = ['--config', config, '--bail', '1', '--reporter', 'json', '--outputFile', report, ...files];
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...options], {
      cwd: root,
      env: { ...process.env, [mutantVariable]: mutant ? JSON.stringify(mutant) : '' },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own: when Vitest ends early, the processes that tests started are left.
      detached: true,
    });
    const endAll = () => endGroup(child.pid);
    process.once('exit', endAll);
    const stderr = text(child.stderr);
    await once(child, 'exit');
    endAll();
    process.off('exit', endAll);
    const errors = await stderr;
    const json = await readFile(report, 'utf8').catch(() => undefined);
    await rm(folder, { recursive: true });
    return { verdict: json ? verdictOf(JSON.parse(json)) : { broken: `no report: ${errors.trim()}` }, errors };
  };
}

/** A file that could not be loaded has a message but no tests; one that was not begun has neither. */
function verdictOf({ success, numPassedTests, testResults }: Report): Verdict {
  const unloaded = testResults.find(({ assertionResults, message }) => assertionResults.length === 0 && message !== '');
  if (unloaded) return { broken: `${fileOf(unloaded.name)}: ${unloaded.message}` };
  for (const { name, assertionResults, message } of testResults) {
    const test = assertionResults.find(({ status }) => status === 'failed');
    // A message without a failed test: the tests could not be prepared.
    if (test ?? message) return { killedBy: `${fileOf(name)}: ${test?.fullName.trim() ?? firstLine(message)}` };
  }
  if (!success || numPassedTests === 0) return { broken: 'Vitest failed, but no test did' };
  return { survived: true };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}

function fileOf(path: string): string {
  return path.slice(root.length).replace(/^test\//, '');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
