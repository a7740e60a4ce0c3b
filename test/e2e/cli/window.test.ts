import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { columnsOf } from '../../../src/cli/output/print.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { MAIN } from '../../support/program.ts';
import { setLatency, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, simplest } from '../site.ts';

/** Clears the line and goes to its begin. */
const REDRAWN = '\u001b[2K\u001b[1G';

/** Runs the command line on a terminal with so many columns, and returns all that it showed. */
async function inWindow(columns: number, args: string[], variables: Record<string, string>) {
  const command = `stty cols ${columns}; ${process.execPath} --disable-warning=ExperimentalWarning ${MAIN} ${args.join(' ')}`;
  const env = { ...compileCache, PATH: process.env.PATH ?? '', TERM: 'xterm', ...variables };
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [shown, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { shown, exitCode };
}

async function slowSite() {
  const site = await openSite(simplest);
  const name = 'evening-lectures';
  writeTalksSync(site, '', { name });
  const rows = Array.from({ length: 60 }, (_, index) => `T${index},夜の講義 ${index},2027-03-01,18:00`);
  writeTalks(site, rows, { name });
  await setLatency(site, 100);
  return site;
}

test.each([
  {
    command: ['sync'],
    columns: 80,
    shows: /^█+░+ evening-lectures: \d+ of 60 records \(\d+ %\), [\d.]+\/s, \d+ s left$/,
  },
  {
    name: 'backfill',
    command: ['backfill', 'evening-lectures'],
    columns: 40,
    shows: /^evening-lectures: \d+ of 60 records \(\d+…$/,
  },
])('In a window of $columns columns, $name shows its progress in one line', async ({ command, columns, shows }) => {
  await using site = await slowSite();
  const { shown, exitCode } = await inWindow(columns, command, site.variables);
  expect(exitCode).toBe(0);
  const drawn = shown.split(REDRAWN).slice(0, -1);
  expect(drawn).toContainEqual(expect.stringMatching(shows));
  expect(drawn.filter((line) => line.includes('\n') || columnsOf(line) >= columns)).toEqual([]);
  // What follows begins at the begin of a cleared line.
  expect(shown).toContain(`${REDRAWN}SYNC `);
});

test('Output has colours on a terminal only, unless the environment says otherwise', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, ['T1,Maps,2027-03-01,18:00']);
  await site.sync();
  const isColoured = async (variables: Record<string, string>) => {
    return (await runHere(['status'], { ...site.variables, ...variables })).stdout.includes('\u001b[32msuccess');
  };
  expect(await isColoured({})).toBe(false);
  expect(await isColoured({ FORCE_COLOR: '1' })).toBe(true);
  expect(await isColoured({ NO_COLOR: '1' })).toBe(false);
  expect((await inWindow(80, ['status'], site.variables)).shown).toContain('\u001b[32msuccess');
  expect((await inWindow(80, ['status'], { ...site.variables, NO_COLOR: '1' })).shown).toMatch(/talks +success/);
});
