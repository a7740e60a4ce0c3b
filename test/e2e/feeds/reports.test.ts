import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folderOf } from '../../support/folder.ts';
import { runHere } from '../run-here.ts';

/** A record that the feed must give: the attributes listed, which may be nested, or `{ shows }` for the text of some HTML. */
interface Wanted {
  key?: string;
  at?: string;
  /** What is also right instead: a rejection of this record, or another value with a warning that names the record. */
  or?: ('rejected' | 'warned')[];
  [attribute: string]: unknown;
}

interface Expectation {
  records?: Wanted[];
  /** Places that have no record: they may be rejected or skipped. */
  mayReject?: string[];
  /** Words that a line of standard error has; of an inner list, one. */
  warnings?: { mentions: (string | string[])[] }[];
  complete?: boolean;
  /** The code with which the whole feed is refused. */
  refused?: string;
  /** Of `feedferry init`: the key, words of its questions and warnings, rules that it must not write, whether it asks. */
  init?: { key?: string; says?: string[]; mapNot?: Record<string, string>; asks?: boolean };
}

interface Case {
  report: string;
  what: string;
  expected: Expectation | { oneOf: Expectation[] };
}

interface Line {
  at: string;
  key?: string;
  payload?: Record<string, unknown>;
  code?: string;
}

interface Seen {
  lines: Line[];
  stderr: string;
  /** One line each: those of the feed, and those of records, which begin with the place and the key of their record. */
  warnings: string[];
  init?: { key: unknown; map: Record<string, unknown>; open: unknown[]; warnings: unknown[] };
}

interface Answer {
  path: string;
  status: number;
  headers: Record<string, string | string[]>;
  body: unknown;
}

const root = join(import.meta.dirname, '../../fixtures/reports');

describe('Feeds of bug reports of other programs give the right records, or say which are wrong', () => {
  test.each(readdirSync(root).sort())('%s', async (name) => {
    const { what, report, expected }: Case = JSON.parse(readFileSync(join(root, name, 'expected.json'), 'utf8'));
    const seen = await read(name);
    const results = ('oneOf' in expected ? expected.oneOf : [expected]).map((one) => problems(one, seen));
    if (results.some((result) => result.length === 0)) return;
    const lines = seen.lines.map((line) => JSON.stringify(line)).join('\n');
    const differences = results.map((one) => one.join('\n')).join('\nor\n');
    expect.fail([`${what} (${report})`, differences, lines, ...seen.warnings].join('\n'));
  });
});

async function read(name: string): Promise<Seen> {
  const target = 'target: { baseUrl: "http://127.0.0.1:9", token: x, timezone: America/New_York }\n';
  const dir = folderOf({ 'config/feedferry.yaml': target });
  const config = join(dir, 'config');
  const syncs = join(config, 'syncs');
  cpSync(join(root, name), syncs, { recursive: true });
  const variables = { FEEDFERRY_DATA: join(dir, 'data'), LOG_LEVEL: 'warn', FEED_SERVER: await serve(name) };
  const run = (...args: string[]) => runHere([...args, '--config', config], variables, dir);
  const feed = join(syncs, readdirSync(syncs).find((file) => file.startsWith('feed.')) ?? '');
  const written = existsSync(join(syncs, 'sync.yaml'));
  const init = written ? undefined : await run('init', feed, '--yes', '--json', '--name', 'sync');
  const { stdout, stderr } = await run('preview', 'sync', '--json');
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"at"'));
  const text = (await run('preview', 'sync')).stdout;
  const warnings = [...warningsOf(text), ...stderr.split('\n').filter((line) => !line.startsWith('sync: '))];
  return { lines: lines.map((line) => JSON.parse(line)), stderr, warnings, init: init?.json() };
}

/** Returns the warnings below the records, which `--json` does not print. */
function warningsOf(text: string): string[] {
  let record = '';
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith(' ')) record = line;
    return line.startsWith('  warning: ') ? [`${record} ${line}`] : [];
  });
}

async function serve(name: string): Promise<string> {
  const file = join(root, name, 'server.json');
  if (!existsSync(file)) return '';
  const answers: Answer[] = JSON.parse(readFileSync(file, 'utf8'));
  const server = createServer(({ url }, response) => {
    const answer = answers.find(({ path }) => path === url);
    response.writeHead(answer?.status ?? 404, answer?.headers);
    response.end(typeof answer?.body === 'string' ? answer.body : JSON.stringify(answer?.body ?? null));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns what of the expectation is not so. */
function problems(expected: Expectation, seen: Seen): string[] {
  const { records, mayReject = [], warnings = [], complete, refused, init } = expected;
  const found: string[] = [];
  const left = seen.lines.filter(({ at, payload }) => payload !== undefined || !mayReject.includes(at));
  if (refused !== undefined && !seen.stderr.includes(refused)) found.push(`the feed is not refused with ${refused}`);
  for (const wanted of records ?? []) found.push(...take(wanted, left, seen.warnings));
  if (records !== undefined) for (const line of left) found.push(`unexpected: ${JSON.stringify(line)}`);
  for (const { mentions } of warnings) if (!says(seen.warnings, mentions)) found.push(`no warning has ${mentions}`);
  const isComplete = !/incomplete|would count as missing/i.test(seen.stderr);
  if (complete !== undefined && complete !== isComplete) found.push(`the reading is ${complete ? 'in' : ''}complete`);
  return init === undefined ? found : [...found, ...problemsOfInit(init, seen)];
}

/** Takes the line of a record from those left. */
function take(wanted: Wanted, left: Line[], warnings: string[]): string[] {
  const { key, at, or = [], ...attributes } = wanted;
  const isIt = (line: Line) => key === undefined || line.key === key || line.at === at;
  const index = left.findIndex((line) => line.payload !== undefined && isIt(line));
  const rejections = or.includes('rejected') ? left.filter((line) => line.code !== undefined && isIt(line)) : [];
  if (index === -1 && rejections.length > 0) {
    for (const line of rejections) left.splice(left.indexOf(line), 1);
    return [];
  }
  const [line] = index === -1 ? [] : left.splice(index, 1);
  if (line?.payload === undefined) return [`no record ${JSON.stringify(wanted)}`];
  const { payload } = line;
  const wrong = Object.entries(attributes).filter(([name, value]) => !fits(value, payload[name]));
  if (key !== undefined && line.key !== key) wrong.push(['key', key]);
  if (wrong.length === 0 || (or.includes('warned') && says(warnings, [names(line)]))) return [];
  return wrong.map(
    ([name, value]) => `${line.at}: ${name} is not ${JSON.stringify(value)}: ${JSON.stringify(payload[name])}`,
  );
}

const names = ({ at, key = '' }: Line) => (key.length > 2 ? [at, key] : [at]);

function fits(wanted: unknown, actual: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return isDeepStrictEqual(wanted, actual);
  const { shows, without, ...rest } = wanted as Record<string, unknown>;
  if (typeof without === 'string' && new RegExp(without, 'i').test(String(actual))) return false;
  if (typeof shows === 'string') return shown(String(actual)) === shows;
  return Object.entries(rest).every(([name, value]) => fits(value, (actual as Record<string, unknown>)?.[name]));
}

/** Returns the text that a visitor sees, without blank lines. */
function shown(html: string): string {
  const text = html
    .replace(/\s+/g, ' ')
    .replace(/<!--.*?-->/g, '')
    .replace(/<(?:br|\/?(?:p|div|li|ul|ol|h\d))\b[^>]*>/gi, '\n')
    .replace(/<\/?[a-z][^>]*>/gi, '');
  const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'", nbsp: ' ' };
  const decoded = text.replace(/&(\w+|#39);/g, (entity, name: string) => entities[name] ?? entity);
  const lines = decoded.split('\n').map((line) => line.replace(/ +/g, ' ').trim());
  return lines.filter((line) => line !== '').join('\n');
}

/** Whether one of the lines has each of the words; of a list, one. */
const says = (lines: string[], mentions: (string | string[])[]) =>
  lines.some((line) => mentions.every((one) => [one].flat().some((word) => isIn(line.toLowerCase(), word))));

/** Whether a word is in a line, and not within a longer word or number. A place may also be one of "lines 4, 5 and 6", or ":5". */
function isIn(line: string, word: string): boolean {
  const text = word.toLowerCase().replace(/[^\w ]/g, '\\$&');
  const place = text.replace(/^line (\d+)$/, '(?:lines? (?:\\d|,|-|–| |and|to)*|:)(?<!\\d)$1');
  return new RegExp(`${/^\w/.test(text) && place === text ? '(?<!\\w)' : ''}${place}(?!\\w)`).test(line);
}

function problemsOfInit(
  { key, says: words, mapNot = {}, asks }: NonNullable<Expectation['init']>,
  seen: Seen,
): string[] {
  const { init } = seen;
  if (init === undefined) return ['init wrote nothing'];
  const found: string[] = [];
  const spoken = JSON.stringify([init.open, init.warnings]);
  if (key !== undefined && init.key !== key) found.push(`the key is ${JSON.stringify(init.key)}, not ${key}`);
  for (const word of words ?? []) if (!spoken.includes(word)) found.push(`init does not mention ${word}: ${spoken}`);
  for (const [name, rule] of Object.entries(mapNot))
    if (JSON.stringify(init.map[name] ?? '').includes(rule)) found.push(`init maps ${name} to ${rule}`);
  if (asks && init.open.length === 0) found.push('init asks nothing');
  return found;
}
