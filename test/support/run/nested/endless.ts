import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { inject, test } from 'vitest';

test('This lasts until the run is ended', { timeout: 600_000 }, async () => {
  // The process has its own environment, as in a test that starts feedferry.
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', tmpdir()], { env: {}, stdio: 'ignore' });
  const pids = [...inject('pids'), process.pid, child.pid];
  writeFileSync(process.env.STARTED_FILE ?? '', JSON.stringify({ folder: tmpdir(), pids }));
  await new Promise(() => {});
});
