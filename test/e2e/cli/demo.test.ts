import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { columnsOf } from '../../../src/cli/output/print.ts';
import type { CountName, RunResult } from '../../../src/core/run.ts';
import { feedferry, start } from '../feedferry.ts';

function expectExplained(stdout: string, queue: string): void {
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(queue);
  expect(stdout).toContain('“partial” is as it should be: 9 of the 197 records are wrong on purpose');
  expect(
    stdout.match(/^Requests that changed something in the CMS: \d+$/gm)?.map((line) => line.split(': ')[1]),
  ).toEqual(['198', '4', '0']);
  expect(stdout).not.toContain('{"');
}

test('The demo explains what it does, and what comes next', async () => {
  const { exitCode, stdout, stderr } = await feedferry(['demo'], { COLUMNS: '80' });
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  expectExplained(stdout, 'in-process queue');
  expect(stdout).toMatch(
    /What to do next\n {2}feedferry init FEED .*\n {2}feedferry demo --keep .*\n {2}feedferry help topics .*\n$/,
  );
  expect(stdout.split('\n').filter((line) => columnsOf(line) > 80)).toEqual([]);
});

test('With --json, the demo prints only the runs: they create items, patch changes, then send nothing', async () => {
  const { exitCode, stdout, json } = await feedferry(['demo', '--json'], {});
  expect(exitCode).toBe(0);
  expect(stdout.trimEnd()).not.toContain('\n');
  const { runs } = json<{ runs: RunResult[] }>();
  const counts = (pass: number, count: CountName) =>
    runs.slice(pass * 3, pass * 3 + 3).reduce((sum, run) => sum + run.counts[count], 0);
  expect(runs).toHaveLength(9);
  for (const { counts: each } of runs) {
    const { read, created, updated, unchanged, rejected, failed, held, skipped } = each;
    expect(created + updated + unchanged + rejected + failed + held + skipped).toBe(read);
  }
  expect([counts(0, 'created'), counts(0, 'uploaded'), counts(0, 'rejected')]).toEqual([187, 11, 9]);
  expect([counts(1, 'created'), counts(1, 'updated'), counts(1, 'unchanged')]).toEqual([0, 4, 183]);
  expect([counts(2, 'created'), counts(2, 'updated'), counts(2, 'unchanged')]).toEqual([0, 0, 187]);
});

test('With --keep, the sandbox runs until Ctrl-C, and its folder stays and can be worked with', async () => {
  const { child, finished } = start(['demo', '--keep'], {});
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  while (!/Ctrl-C/.test(said)) if (child.stdout) await once(child.stdout, 'data');
  expectExplained(said, 'in-process queue');
  const [, url = ''] = /An imported event: (\S+)/.exec(said) ?? [];
  const page = await (await fetch(url)).text();
  expect(page).toMatch(/<h1>.+<\/h1>/);
  expect(page).toMatch(/<img [^>]*src="[^"]+"/);
  const [, folder = ''] = /^The folder of the demo stays: (.+)$/m.exec(said) ?? [];
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // From here on it is a site as any other.
  const site = { FEEDFERRY_CONFIG: join(folder, 'config') };
  const status = await feedferry(['status', '--json'], site);
  expect(status.json()).toMatchObject({ syncs: [{ lastRun: { counts: { unchanged: 47 } } }, {}, {}] });
  child.kill('SIGINT');
  expect((await finished).exitCode).toBe(130);
  const [, command = ''] = /^ {2}feedferry (sandbox .*)$/m.exec(said) ?? [];
  const again = start(command.split(' '), site);
  if (again.child.stdout) await once(again.child.stdout, 'data');
  expect((await feedferry(['verify', 'museum-events', '--json'], site)).json()).toMatchObject({
    verified: [{ sync: 'museum-events', inSync: 77, drift: [] }],
  });
});
