import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { compileCache } from '../../support/compile-cache.ts';
import { temporaryDir } from '../../support/engines.ts';
import { MAIN } from '../../support/program.ts';
import { runHere } from '../run-here.ts';
import { type Command, type Part, partsOf, toMarkdown } from './tutorial.ts';

const file = join(import.meta.dirname, '../../../docs/first-sync.md');
const page = readFileSync(file, 'utf8');
const parts = partsOf(page);

test('Each block, command and link of the tutorial is a part that is played', () => {
  expect(parts.map(toMarkdown).join('')).toBe(page);
  const count = (...kinds: string[]) => parts.filter(({ is }) => kinds.includes(is)).length;
  expect(count('write', 'show', 'run')).toBe((page.match(/^```/gm)?.length ?? 0) / 2);
  expect(parts.flatMap((part) => (part.is === 'run' ? part.commands : [])).length).toBe(page.match(/^\$ /gm)?.length);
  expect(count('open')).toBe(page.match(/<http:/g)?.length);
  expect(parts.length).toBeGreaterThan(20);
});

test('The tutorial works word for word (`npm run goldens` writes what has changed)', async () => {
  const dir = temporaryDir();
  onTestFinished(() => dir[Symbol.dispose]());
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => void vi.unstubAllEnvs());
  const played: Part[] = [];
  for (const part of parts) played.push(await play(part, dir.path));
  await expect(played.map(toMarkdown).join('')).toMatchFileSnapshot(file);
});

/** Does what a reader does at a part of the tutorial, and returns it with what the reader sees. */
async function play(part: Part, dir: string): Promise<Part> {
  if (part.is === 'write') writeFileSync(join(dir, part.file), part.content);
  if (part.is === 'show') return { ...part, content: readFileSync(join(dir, part.file), 'utf8') };
  if (part.is === 'open') {
    const text = await textOf(dir, part.path);
    expect(part.shows.filter((line) => !text.includes(line))).toEqual([]);
  }
  if (part.is !== 'run') return part;
  const commands: Command[] = [];
  for (const command of part.commands) {
    const output = await (command.args[0] === 'sandbox' ? serve(command, dir) : run(command, dir));
    const isSame = masked(output, dir) === masked(command.output, dir);
    commands.push(isSame ? command : { ...command, output: masked(output, dir) });
  }
  return { ...part, commands };
}

/** Runs a command to its end. */
async function run({ args }: Command, dir: string): Promise<string> {
  const { exitCode, shown } = await runHere(args, { COLUMNS: '80' }, dir);
  expect({ args, exitCode }).toEqual({ args, exitCode: /rejected|held/.test(shown) ? 3 : 0 });
  return shown;
}

/** Runs the sandbox until the test has finished, from when it has shown as many lines as the tutorial. */
async function serve({ args, output }: Command, dir: string): Promise<string> {
  const { child, shown } = start(args, dir);
  onTestFinished(async () => {
    child.kill();
    await once(child, 'exit');
  });
  await expect.poll(() => shown().split('\n').length).toBe(output.split('\n').length);
  return shown();
}

/** Starts feedferry: both outputs in the order in which they are written. */
function start(args: string[], dir: string): { child: ChildProcess; shown: () => string } {
  const shown = join(dir, `.shown-${args.join('-').replaceAll('/', '')}`);
  const output = openSync(shown, 'w');
  const { PATH = '', HOME = '' } = process.env;
  const env = { ...compileCache, PATH, HOME, TZ: 'America/New_York', COLUMNS: '80' };
  const command = ['--disable-warning=ExperimentalWarning', MAIN, ...args];
  const child = spawn(process.execPath, command, { cwd: dir, env, stdio: ['ignore', output, output] });
  return { child, shown: () => readFileSync(shown, 'utf8') };
}

/** Replaces what differs from run to run. */
function masked(text: string, dir: string): string {
  return text
    .replaceAll(dir, '/home/you/events')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replaceAll(/(?<= {2})\d+\.\d(?= {2}\d)/g, '0.1');
}

/** Returns the text of a page of the sandbox, whose address is in the `.env` file. */
async function textOf(dir: string, path: string): Promise<string> {
  const { CMS_BASE_URL } = parseEnv(readFileSync(join(dir, '.env'), 'utf8'));
  const html = await (await fetch(new URL(path, CMS_BASE_URL))).text();
  return html.replaceAll(/<[^>]*>/g, '');
}
