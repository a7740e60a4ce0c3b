import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { columnsOf } from '../../../src/cli/output/print.ts';
import { feedferry, start } from '../feedferry.ts';
import { runHere } from '../run-here.ts';

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

// `scripts/smoke.sh` runs the demo with --json.
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
  const status = await runHere(['status', '--json'], site);
  expect(status.json()).toMatchObject({ syncs: [{ lastRun: { counts: { unchanged: 47 } } }, {}, {}] });
  child.kill('SIGINT');
  expect((await finished).exitCode).toBe(130);
  const [, command = ''] = /^ {2}feedferry (sandbox .*)$/m.exec(said) ?? [];
  const again = start(command.split(' '), site);
  if (again.child.stdout) await once(again.child.stdout, 'data');
  expect((await runHere(['verify', 'museum-events', '--json'], site)).json()).toMatchObject({
    verified: [{ sync: 'museum-events', inSync: 77, drift: [] }],
  });
});
