import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { folderOf } from '../../support/folder.ts';
import { start } from '../feedferry.ts';
import { runHere } from '../run-here.ts';

const FEED = 'id,title,date\nT1,Old Maps & Charts,2027-03-01\nT2,Ships,2027-03-02\n';

/** Starts a sandbox for the other commands of a folder, and returns the address that it names. */
async function startSandbox(cwd: string) {
  const { child } = start(['sandbox'], { NO_COLOR: '1' }, cwd);
  if (!child.stdout) throw new Error('the sandbox has no output');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.startsWith('Next')) break;
  }
  expect(lines[1]).toBe('.env has its address and token, so all other commands use it.');
  return { child, said: lines.join('\n'), address: /http:\S+/.exec(lines[0] ?? '')?.[0] ?? '' };
}

test('From a feed to its events on the page of the sandbox, without setting a variable', async () => {
  const dir = folderOf({ 'talks.csv': FEED });
  const { stdout, exitCode } = await runHere(['init', 'talks.csv', '--yes'], {}, dir);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/feedferry sandbox .*\n.*feedferry plan talks .*\n.*feedferry sync talks /);

  const { child, address, said } = await startSandbox(dir);
  expect(said).toContain('Next, in another terminal: feedferry sync');
  const synced = await runHere(['sync'], {}, dir);
  expect(synced.stdout).toContain('2 created');
  const page = await (await fetch(address)).text();
  expect(page).toContain('Old Maps &amp; Charts</a>, 2027-03-01');
  const [, path = ''] = /<a href="([^"]*)">Ships/.exec(page) ?? [];
  expect(await (await fetch(new URL(path, address))).text()).toContain('<h1>Ships</h1>');

  // After a restart, .env is still true: nothing has changed, and nothing is sent.
  const variables = readFileSync(join(dir, '.env'), 'utf8');
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect((await startSandbox(dir)).address).toBe(address);
  expect(readFileSync(join(dir, '.env'), 'utf8')).toBe(variables);
  expect((await runHere(['sync'], {}, dir)).stdout).toContain('2 unchanged');
  const { CMS_API_TOKEN: token = '' } = parseEnv(variables);
  expect(token).toHaveLength(32);
  expect(said).not.toContain(token);
  expect((await runHere(['doctor'], {}, dir)).stdout).not.toContain(token);
  // A variable that is set wins.
  const elsewhere = await runHere(['plan', 'talks'], { CMS_BASE_URL: 'http://127.0.0.1:1' }, dir);
  expect(elsewhere.stderr).toContain('FF_DESTINATION_CHANGED');
});
