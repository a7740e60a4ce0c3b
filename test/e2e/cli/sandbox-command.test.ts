import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { introduce } from '../../../src/cli/commands/sandbox/introduction.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { accounts, type Caller, callerOf, createEvent, eventBody, events } from '../../contract/sandbox/harness.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { folderOf } from '../../support/folder.ts';
import { MAIN } from '../../support/program.ts';
import { runHere } from '../run-here.ts';

const { CMS_BASE_URL: _, CMS_API_TOKEN: __, CMS_API_TOKEN_FILE: ___, ...inherited } = process.env;
const environment: Record<string, string | undefined> = { ...inherited, NO_COLOR: '1' };

function command(...args: string[]): ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } {
  const node = ['--disable-warning=ExperimentalWarning', MAIN, 'sandbox', ...args];
  const child = spawn(process.execPath, node, {
    env: { ...environment, ...compileCache },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** A sandbox that listens; what it prints first is all that is known of it. */
async function listening(...args: string[]): Promise<{ api: Caller; child: ChildProcess }> {
  const child = command('--json', ...args);
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line);
    expect(said).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), token: expect.any(String) });
    return { api: callerOf(said), child };
  }
  throw new Error(`The sandbox did not listen: ${await text(child.stderr)}`);
}

describe('The sandbox command', () => {
  test('The sandbox exits with 143 on SIGTERM, and reports FF_SANDBOX_PORT if its port is in use', async () => {
    const { api, child } = await listening('--memory', '--token', 'my-token');
    expect(api.token).toBe('my-token');
    expect((await api.call('GET', events)).status).toBe(200);
    const port = new URL(api.url).port;
    const second = await runHere(['sandbox', '--memory', '--port', port], {});
    expect(second).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(`FF_SANDBOX_PORT.*:${port}: it is in use`),
    });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
  });

  test('The data of the sandbox survive SIGKILL, and with --json it writes no .env', async () => {
    const dir = folderOf({});
    const place = ['--config', join(dir, 'config'), '--data', join(dir, 'data')];
    const first = await listening(...place);
    expect(existsSync(join(dir, '.env'))).toBe(false);
    const event = await createEvent(first.api);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const { api } = await listening(...place);
    expect((await api.call('GET', `${events}/${event.id}`)).body).toEqual(event);
  });

  test('Switches take effect', async () => {
    const { api } = await listening(
      ...['--memory', '--last-page', 'error', '--max-limit', '3', '--missing-header', '406', '--cleared', 'omit'],
      ...['--numbers-as-strings', '--instances', 'arts,sports', '--unique-accounts', 'username,email'],
      ...['--timezone', 'Pacific/Kiritimati', '--attributes', 'location'],
    );
    expect((await api.call('POST', accounts, { username: 'ada' })).status).toBe(201);
    expect((await api.call('POST', accounts, { username: 'ada' })).status).toBe(422);
    expect((await api.call('GET', events)).status).toBe(400);
    expect((await api.call('GET', `${events}?instance=arts&page=2`)).status).toBe(404);
    expect((await api.call('GET', accounts, undefined, { accept: '*/*' })).status).toBe(406);
    expect((await api.call('GET', `${accounts}?limit=50`)).body.pagination.perPage).toBe('3');
    const { body } = await api.call('POST', `${events}?instance=sports`, { ...eventBody, locaton: 'Hall' });
    expect(body).not.toHaveProperty('locaton');
    expect(body).not.toHaveProperty('description');
    expect(body.id).toBe('1');
  });

  test('An invalid value is a usage error', async () => {
    const { exitCode, stderr } = await runHere(['sandbox', '--memory', '--last-page', 'maybe'], {});
    expect(stderr).toContain('FF_USAGE --last-page must be one of');
    expect(exitCode).toBe(2);
  });

  test('A token that does not fit in a header is refused and not printed', async () => {
    const { exitCode, stderr } = await runHere(['sandbox', '--memory', '--token', 'two words'], {});
    expect(stderr).toMatch(/FF_USAGE.*token/);
    expect(stderr).not.toContain('two words');
    expect(exitCode).toBe(2);
  });
});

/** Starts a sandbox for the other commands of a folder, and returns what it says. */
async function introduced(dir: string, ...args: string[]): Promise<string> {
  const lines: string[] = [];
  const child = command('--config', join(dir, 'config'), '--port', '0', ...args);
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.startsWith('Press Ctrl-C')) return lines.join('\n');
  }
  throw new Error(`The sandbox did not listen: ${await text(child.stderr)}`);
}

/** Returns what a sandbox says to the other commands of a folder, without starting it. */
function saidIn(dir: string): string {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  const config = join(dir, 'config');
  const sandbox = { url: 'http://127.0.0.1:1', token: 'a-token' } as Sandbox;
  try {
    introduce(sandbox, { config, configDir: config, writesEnv: true, memory: false });
  } finally {
    spy.mockRestore();
  }
  return lines.join('');
}

// `from-zero.test.ts` proves that the sandbox has the same address and token after a restart.
describe('The sandbox for the other commands of a folder', () => {
  const envOf = (dir: string) => readFileSync(join(dir, '.env'), 'utf8');
  const target = 'target:\n  baseUrl: ${CMS_BASE_URL}\n  token: ${CMS_API_TOKEN}\n';

  test('names the next step without a config, and with one of another site', () => {
    expect(saidIn(folderOf({}))).toContain('Next, in another terminal: feedferry init FEED');
    const other = folderOf({ 'config/feedferry.yaml': 'target: { baseUrl: https://www.example.edu }\n' });
    expect(saidIn(other)).toContain('names another site. To use the sandbox, write');
  });

  test('writes nothing if .env names another site, or on request, and says what to set', async () => {
    const site = 'CMS_BASE_URL=https://www.example.edu\nCMS_API_TOKEN=real-token\n';
    const dir = folderOf({ '.env': site });
    const said = saidIn(dir);
    expect(said).toContain('CMS_BASE_URL in ');
    expect(said).toContain("export CMS_BASE_URL='http://127.0.0.1:1'\n  export CMS_API_TOKEN='");
    expect(said).not.toContain('real-token');
    expect(envOf(dir)).toBe(site);
    const empty = folderOf({});
    expect(await introduced(empty, '--no-env', '--memory')).toContain('export CMS_BASE_URL=');
    expect(existsSync(join(empty, '.env'))).toBe(false);
  });

  test('never takes the token of a site for its own', async () => {
    const dir = folderOf({ 'config/feedferry.yaml': target });
    environment.CMS_API_TOKEN = 'real-token';
    onTestFinished(() => void delete environment.CMS_API_TOKEN);
    const said = await introduced(dir);
    expect(said).toContain('CMS_API_TOKEN or CMS_API_TOKEN_FILE is set, which overrides');
    expect(said + envOf(dir)).not.toContain('real-token');
    const { api } = await listening('--memory');
    expect(api.token).toBe('real-token');
  });
});
