import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDir } from '../engines.ts';
import { findPrograms } from '../find-programs.ts';

const root = join(import.meta.dirname, '../../..');
const CONFIG = join(import.meta.dirname, 'nested/vitest.config.ts');

// Other systems do not show the environment of processes, so servers may outlive a run that is killed.
const onLinux = test.skipIf(process.platform !== 'linux');

// The test below ends a run by SIGTERM.
onLinux.each(['SIGINT', 'SIGKILL'] as const)('A run that is ended by %s leaves nothing behind', async (signal) => {
  const run = await startRun();
  expect(run.left()).toEqual({
    folder: true,
    pids: run.pids,
    sharedMemory: findPrograms().postgresBin !== undefined,
  });
  await run.end(signal);
  await expect.poll(run.left).toEqual(NOTHING);
});

onLinux('What is left of a run that was killed with its guard is removed by the next run', async () => {
  const killed = await startRun();
  process.kill(guardOf(killed.folder), 'SIGKILL');
  await killed.end('SIGKILL');
  expect(killed.left().folder).toBe(true);
  const next = await startRun();
  // A killed process is there until the system has cleared it away.
  await expect.poll(killed.left).toEqual(NOTHING);
  expect(next.left().folder).toBe(true);
  await next.end('SIGTERM');
  await expect.poll(next.left).toEqual(NOTHING);
});

const NOTHING = { folder: false, pids: [], sharedMemory: false };

/** Starts a run with one test that does not end by itself. */
async function startRun() {
  const dir = temporaryDir();
  const file = join(dir.path, 'started.json');
  const vitest = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', CONFIG], {
    // Starts a new process group, as the shell of a terminal does for each command.
    ...{ detached: true, stdio: 'ignore', env: { ...process.env, STARTED_FILE: file } },
  });
  const exited = once(vitest, 'exit');
  onTestFinished(() => {
    vitest.kill('SIGKILL');
    dir[Symbol.dispose]();
  });
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBeTruthy();
  const { folder, pids } = JSON.parse(readFileSync(file, 'utf8')) as { folder: string; pids: number[] };
  return {
    folder,
    pids,
    /** Returns what is left of the run. The shared memory belongs to its PostgreSQL. */
    left: () => ({
      folder: existsSync(folder),
      pids: pids.filter((pid) => existsSync(`/proc/${pid}`)),
      sharedMemory: pids.filter(hasSharedMemory).length > 0,
    }),
    /** Sends a signal. SIGINT is sent to the whole group, like Ctrl-C in a terminal. */
    async end(signal: NodeJS.Signals) {
      process.kill(signal === 'SIGINT' ? -(vitest.pid ?? 0) : (vitest.pid ?? 0), signal);
      await exited;
    },
  };
}

/** Whether a segment of shared memory that a process created still exists. */
function hasSharedMemory(pid: number): boolean {
  const [header = '', ...segments] = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n');
  const creator = header.trim().split(/\s+/).indexOf('cpid');
  return segments.some((segment) => Number(segment.trim().split(/\s+/)[creator]) === pid);
}

function guardOf(folder: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const guard = pids.find((pid) => {
    const file = `/proc/${pid}/cmdline`;
    const [, , program = '', of] = existsSync(file) ? readFileSync(file, 'utf8').split('\0') : [];
    return program.endsWith('guard.ts') && of === folder;
  });
  return Number(guard);
}
