import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderOf } from '../../support/folder.ts';
import { start } from '../feedferry.ts';
import { converse } from '../terminal.ts';

const ENTER = '\r';
const DOWN = '\x1b[B';
const YES = 'y';
const CTRL_C = '\x03';
const secret = 'MarkerOfTheKey1';
const talks = 'id,title,date\n1,Maps,2027-03-04\n2,Ships,2027-05-06\n';
/** Questions of every first sync. */
const rest: Array<[string, string]> = [
  ['In which time zone', ENTER],
  ['Where should', ENTER],
  ['Write the files?', ENTER],
];

/** A server that wants the key in the header X-Town-Key. */
async function serve(): Promise<{ url: string; keys: unknown[] }> {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    const key = request.headers['x-town-key'];
    keys.push(key);
    if (key === secret) response.end(talks);
    else response.writeHead(401).end(JSON.stringify({ error: `X-Town-Key is missing or wrong: ${key}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/talks.csv`, keys };
}

test('On a terminal, init asks before it opens a private address, and for the key that the server wants', async () => {
  const { url, keys } = await serve();
  const dir = folderOf({});
  const { exitCode, shown, answered } = await converse(
    ['init', url],
    [
      ['127.0.0.1 is in a private network. Open it?', YES],
      ['What does the server of the feed want?', ENTER],
      ['Name of the header', ENTER],
      ['Name of the variable', ENTER],
      ['Value of FEED_KEY', `wrong-key${ENTER}`],
      ['What does the server of the feed want?', ENTER],
      ['Name of the header', ENTER],
      ['Name of the variable', ENTER],
      ['Value of FEED_KEY', `${secret}${ENTER}`],
      ...rest,
    ],
    { cwd: dir },
  );
  expect({ exitCode, answered }, shown).toEqual({ exitCode: 0, answered: 12 });
  expect(keys).toEqual([undefined, 'wrong-key', secret]);
  expect(shown).toContain('X-Town-Key is missing or wrong: ***');
  expect(shown).not.toContain('It was opened because');
  expect(readFileSync(join(dir, '.env'), 'utf8')).toBe(`FEED_KEY=${secret}\n`);
  const names = readdirSync(join(dir, 'config'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.yaml'),
  );
  const files = names.map((name) => readFileSync(join(dir, 'config', name), 'utf8')).join('\n');
  expect(files).toContain('headers: { X-Town-Key: "${FEED_KEY}" }');
  for (const text of [shown, files]) expect(text).not.toMatch(/MarkerOfTheKey1|wrong-key/);
  expect((await start(['preview', 'talks'], {}, dir).finished).exitCode).toBe(0);
});

test('A variable that is set is not asked for, and a variable of the target is refused', async () => {
  const { url, keys } = await serve();
  const dir = folderOf({ '.env': `TOWN_KEY=${secret}\n` });
  const { exitCode, shown } = await converse(
    ['init', url],
    [
      ['Open it?', YES],
      ['What does the server of the feed want?', ENTER],
      ['Name of the header', ENTER],
      ['Name of the variable', `\x15CMS_API_TOKEN${ENTER}`],
      ['is a variable of the target', `\x15TOWN_KEY${ENTER}`],
      ...rest,
    ],
    { cwd: dir },
  );
  expect(exitCode, shown).toBe(0);
  expect(keys).toEqual([undefined, secret]);
  expect(readFileSync(join(dir, '.env'), 'utf8')).toBe(`TOWN_KEY=${secret}\n`);
});

test('On a terminal, init asks for the values of variables that are not set', async () => {
  const { url, keys } = await serve();
  const dir = folderOf({});
  const { exitCode, shown } = await converse(
    ['init', url, "--header 'X-Town-Key: ${TOWN_KEY}'"],
    [['Value of TOWN_KEY', `${secret}${ENTER}`], ['Open it?', YES], ...rest],
    { cwd: dir },
  );
  expect(exitCode, shown).toBe(0);
  expect(keys).toEqual([secret]);
  expect(readFileSync(join(dir, '.env'), 'utf8')).toBe(`TOWN_KEY=${secret}\n`);
});

test('A key may belong into the address', async () => {
  const paths: Array<string | undefined> = [];
  const server = createServer(({ url }, response) => {
    paths.push(url);
    if (url?.includes(`apikey=${secret}`)) response.end(talks);
    else response.writeHead(403).end('No key');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/talks.csv`;
  const dir = folderOf({});
  const { exitCode, shown } = await converse(
    ['init', url],
    [
      ['Open it?', YES],
      ['What does the server of the feed want?', DOWN + ENTER],
      ['Name of the parameter', `\x15apikey${ENTER}`],
      ['Name of the variable', ENTER],
      ['Value of FEED_KEY', `${secret}${ENTER}`],
      ...rest,
    ],
    { cwd: dir },
  );
  expect(exitCode, shown).toBe(0);
  expect(shown).toContain('No key');
  expect(paths).toEqual(['/talks.csv', `/talks.csv?apikey=${secret}`]);
  expect(readFileSync(join(dir, 'config/syncs/talks.yaml'), 'utf8')).toContain(`url: ${url}?apikey=\${FEED_KEY}`);
  expect(shown).not.toContain(secret);
});

test.each([
  ['that is not confirmed is not opened', ENTER, 1],
  ['is not opened after Ctrl-C', CTRL_C, 130],
])('A private address %s', async (_, key, expected) => {
  const { url, keys } = await serve();
  const dir = folderOf({});
  const { exitCode, shown } = await converse(['init', url], [['Open it?', key]], { cwd: dir });
  expect(exitCode, shown).toBe(expected);
  expect(keys).toEqual([]);
  expect(existsSync(join(dir, 'config'))).toBe(false);
});
