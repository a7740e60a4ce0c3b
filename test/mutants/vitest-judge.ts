import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { verdictPrefix } from './first-failure.ts';
import type { Judge, Verdict } from './judge-mutants.ts';
import { mutantVariable, root } from './mutant.ts';

/** Runs the tests of a Vitest config that plants mutants (plant-in-vite.ts), up to the first that fails. */
export function vitestJudge(config: string): Judge {
  return async (mutant, file) => {
    const temporary = mkdtempSync(join(tmpdir(), 'feedferry-mutants-'));
    // Without --bail: it ends the run before the test that failed is reported.
    const options = ['--config', config, '--reporter', join(root, 'test/mutants/first-failure.ts')];
    const child = spawn(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...options, ...(file ? [file] : [])],
      {
        cwd: root,
        env: { ...process.env, TMPDIR: temporary, [mutantVariable]: mutant ? JSON.stringify(mutant) : '' },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A group of its own, so that the processes that its tests started end with it.
        detached: true,
      },
    );
    const endAll = () => {
      endGroup(child.pid);
      rmSync(temporary, { recursive: true, force: true });
    };
    process.once('exit', endAll);
    const errors = text(child.stderr);
    const verdict = await firstVerdict(child.stdout);
    endAll();
    process.off('exit', endAll);
    return { verdict: verdict ?? { broken: `Vitest did not run: ${(await errors).trim()}` }, errors: await errors };
  };
}

async function firstVerdict(output: NodeJS.ReadableStream): Promise<Verdict | undefined> {
  for await (const line of createInterface({ input: output })) {
    if (line.startsWith(verdictPrefix)) return JSON.parse(line.slice(verdictPrefix.length));
  }
  return undefined;
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}
