import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunReport } from '../../../src/core/run.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

/** What a feed does to a run: the lines or places that are rejected, the keys of the records, or why it is refused. */
interface BadFeed {
  name: string;
  /** Keys of `source` besides url; default: connector csv. */
  source?: string;
  content: string | Uint8Array;
  records?: string[];
  rejected?: string[];
  /** Part of a message on standard error. */
  says?: string;
  /** The code of the error that refuses the feed. */
  refused?: string;
  /** Whether the reading is reported as incomplete. */
  incomplete?: true;
}

const head = 'email,first\n';
const a = 'a@x.org,Ann\n';
const b = 'b@x.org,Bob\n';
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const json = 'connector: json';
const ann = '{"email":"a@x.org","first":"Ann"}';
const bob = '{"email":"b@x.org","first":"Bob"}';
const login = '<!DOCTYPE html><html><body><form>Log in</form></body></html>';

const feeds: BadFeed[] = [
  { name: 'empty', content: '', refused: 'FF_FEED_FORMAT', says: 'is empty' },
  { name: 'blank', content: ' \n\r\n\t', refused: 'FF_FEED_FORMAT', says: 'is blank' },
  { name: 'login-page', content: login, refused: 'FF_FEED_FORMAT', says: 'looks like a web page' },
  { name: 'gzip', content: gzipSync(head + a), records: ['a@x.org'] },
  {
    name: 'gzip-damaged',
    content: gzipSync(head + a).subarray(0, 10),
    refused: 'FF_FEED_UNREADABLE',
    says: 'compressed',
  },
  { name: 'bom', content: `\uFEFF${head}${a}`, records: ['a@x.org'] },
  { name: 'utf-16', content: utf16(head + a), records: ['a@x.org'] },
  { name: 'latin-1', content: latin1(`${head}a@x.org,Zoë Müller från Öland\n`), records: ['a@x.org'], says: 'charset' },
  {
    name: 'mixed-line-ends',
    content: `email,first\r\n${a}b@x.org,Bob\rc@x.org,Cy`,
    records: ['a@x.org', 'b@x.org', 'c@x.org'],
  },
  { name: 'semicolons', content: 'email;first\na@x.org;Ann\n', records: ['a@x.org'], says: 'Detected delimiter: ;' },
  {
    name: 'wrong-delimiter',
    source: 'connector: csv, delimiter: ";"',
    content: head + a,
    refused: 'FF_FEED_COLUMNS',
    says: 'no column "email"',
  },
  { name: 'missing-header', content: a + b, refused: 'FF_FEED_COLUMNS', says: 'no column' },
  {
    name: 'misspelt-header',
    content: `e-mail,first\n${a}`,
    refused: 'FF_FEED_COLUMNS',
    says: 'did you mean "e-mail"?',
  },
  {
    name: 'doubled-header',
    content: `email,first,first\na@x.org,Ann,Bob\n`,
    refused: 'FF_FEED_COLUMNS',
    says: '"first" more than once',
  },
  {
    name: 'ragged-row',
    content: `${head}${a}x@x.org\n${b}y@x.org,Y,surplus\n`,
    records: ['a@x.org', 'b@x.org'],
    rejected: ['line 3', 'line 5'],
  },
  {
    name: 'stray-quote',
    content: `${head}${a}x@x.org,"X" x\n${b}`,
    records: ['a@x.org', 'b@x.org'],
    rejected: ['line 3'],
  },
  {
    name: 'unclosed-quote',
    content: `${head}${a}x@x.org,"X\n${b}`,
    records: ['a@x.org', 'b@x.org'],
    rejected: ['line 3'],
    incomplete: true,
  },
  {
    name: 'long-row',
    source: 'connector: csv, maxRecordBytes: 100',
    content: `${head}${a}x@x.org,${'x'.repeat(200)}\n${b}`,
    records: ['a@x.org', 'b@x.org'],
    rejected: ['line 3'],
  },
  { name: 'spreadsheet', content: `email,first,,\n${a.trim()},,\n,,,\n,,,\n`, records: ['a@x.org'] },
  {
    name: 'same-key-twice',
    content: `${head}${a}${b}a@x.org,Anna\n`,
    records: ['b@x.org'],
    rejected: ['line 2', 'line 4'],
  },
  {
    name: 'same-row-twice',
    content: head + a + b + a + a,
    records: ['a@x.org', 'b@x.org'],
    says: 'line 4: Repeats line 2: identical records count as one',
  },
  {
    name: 'same-row-twice-and-another',
    content: `${head}${a}${b}${a}a@x.org,Anna\n`,
    records: ['b@x.org'],
    rejected: ['line 2', 'line 5'],
    says: 'line 4: Repeats line 2',
  },
  { name: 'json-same-item-twice', source: json, content: `[${ann},${bob},${ann}]`, records: ['a@x.org', 'b@x.org'] },
  {
    name: 'spreadsheet-errors',
    content: `${head}${a}x@x.org,#REF!\n#N/A,Cy\n${b}`,
    records: ['a@x.org', 'b@x.org'],
    rejected: ['line 3', 'line 4'],
  },
  {
    name: 'spreadsheet-errors-unused',
    content: 'email,first,room\na@x.org,Ann,#REF!\nb@x.org,Bob,=A1\n',
    records: ['a@x.org', 'b@x.org'],
  },
  {
    name: 'header-in-another-order',
    content: `${head}${a}first,email\nBob,b@x.org\n`,
    records: ['a@x.org', 'b@x.org'],
    says: 'The rows below have the columns of this header row: "first", "email"',
  },
  {
    name: 'json-error-object',
    source: json,
    content: '{"error":"busy"}',
    refused: 'FF_FEED_FORMAT',
    says: 'it has "error"',
  },
  { name: 'json-login-page', source: json, content: login, refused: 'FF_FEED_FORMAT', says: 'looks like a web page' },
  {
    name: 'json-truncated',
    source: json,
    content: `[${ann},${bob},{"ema`,
    records: ['a@x.org', 'b@x.org'],
    incomplete: true,
    says: 'is cut off',
  },
  { name: 'json-truncated-early', source: json, content: '{"people"', refused: 'FF_FEED_FORMAT', says: 'is cut off' },
  {
    name: 'json-not-objects',
    source: json,
    content: `[${ann},"x",null,[1],7]`,
    records: ['a@x.org'],
    rejected: ['$[1]', '$[2]', '$[3]', '$[4]'],
  },
  {
    name: 'json-deep',
    source: json,
    content: '['.repeat(200_000),
    refused: 'FF_FEED_FORMAT',
    says: 'nested more than 200',
  },
  {
    name: 'json-big-ids',
    source: `${json}`,
    content: '[{"email":9007199254740993,"first":"A"},{"email":9007199254740992,"first":"B"}]',
    records: ['9007199254740993', '9007199254740992'],
  },
  {
    name: 'json-proto',
    source: json,
    content: '[{"__proto__":{"email":"a@x.org"},"email":"__proto__","first":"P"}]',
    records: ['__proto__'],
  },
  {
    name: 'json-lines-bad-line',
    source: `${json}, lines: true`,
    content: `${ann}\nnot json\n${bob}\n`,
    records: ['a@x.org', 'b@x.org'],
    rejected: ['line 2'],
  },
  {
    name: 'jsonfeed-error',
    source: 'connector: jsonfeed',
    content: '{"message":"no"}',
    refused: 'FF_FEED_FORMAT',
    says: 'it has "message"',
  },
  {
    name: 'jsonld-login-page',
    source: 'connector: jsonld',
    content: login,
    refused: 'FF_FEED_FORMAT',
    says: 'no schema.org Event',
  },
];

let site: Site;
const runs = new Map<string, RunReport>();

beforeAll(async () => {
  site = await openSite(simplest);
  for (const { name, source = 'connector: csv', content } of feeds) {
    site.write(`feeds/${name}`, content);
    // Accounts of different syncs are the same in the CMS where their usernames are.
    site.write(
      `syncs/${name}.yaml`,
      `resource: accounts\nsource: { ${source}, url: ../feeds/${name} }\nkey: email\nmap: { username: { template: "{{ email }}.${name}" }, firstName: first }\n`,
    );
  }
  for (const run of await site.sync()) runs.set(run.sync, run);
});

afterAll(() => site[Symbol.asyncDispose]());

async function preview(name: string) {
  const { exitCode, stdout, stderr } = await runHere(['preview', name, '--json'], site.variables);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { at?: string; key?: string; code?: string; error?: { code: string } });
  return { exitCode, lines, stderr };
}

describe.each(feeds)('$name', ({ name, records = [], rejected = [], says, refused, incomplete }) => {
  const isPartial = rejected.length > 0;

  test('The preview prints the records and the rejections', async () => {
    const { exitCode, lines, stderr } = await preview(name);
    const shown = lines.filter((line) => line.key !== undefined && line.code === undefined).map((line) => line.key);
    const setAside = lines.filter((line) => line.code !== undefined).map((line) => line.at);
    if (says !== undefined) expect(stderr).toContain(says);
    expect(lines.at(-1)?.error?.code).toBe(refused);
    expect(shown).toEqual(records);
    expect(setAside).toEqual(rejected);
    expect(exitCode).toBe(refused ? 1 : isPartial || incomplete ? 3 : 0);
    expect(stderr.includes('incomplete')).toBe(incomplete ?? false);
  });

  test('The sync creates the records and reports the rejections', () => {
    const run = runs.get(name);
    expect(run?.status).toBe(refused ? 'failed' : isPartial || incomplete ? 'partial' : 'success');
    expect(run?.counts.created).toBe(records.length);
    expect(run?.counts.rejected).toBe(rejected.length);
    if (refused) expect(run?.complete).toBe(false);
    else expect(run?.complete).toBe(!incomplete);
  });
});
