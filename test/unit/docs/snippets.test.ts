import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { connectors } from '../../../connectors/index.ts';
import { readEnvironment } from '../../../src/app/environment.ts';
import { runMappingTests } from '../../../src/app/mapping-tests.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { loadPeople } from '../../../src/config/people-file.ts';
import { targetFile } from '../../../src/config/schema/target-schema.ts';
import { temporaryDir } from '../../support/engines.ts';
import { cards } from '../connectors/cards.ts';
import { type Block, blocks, read, root } from './markdown.ts';

/** What checks the blocks of each language. */
const checkedBy: Record<string, string> = {
  yaml: 'this file',
  json: 'this file',
  ts: 'this file',
  js: 'this file',
  ini: 'this file',
  dotenv: 'this file',
  csv: 'e2e/docs, all of docs/first-sync.md',
  sh: 'command-lines.test.ts',
  console: 'output.test.ts; e2e/docs',
  text: 'output.test.ts',
  sql: 'contract/ledger/tables.test.ts, all of docs/ledger-tables.md',
  mermaid: 'contract/ledger/tables.test.ts, all of docs/ledger-tables.md',
  python: 'nothing, because Python need not be installed',
};

/** Configuration of other programs, by the first line of the snippet. */
const ofOtherPrograms = new Set(['# prometheus.yml', '# Prometheus alerting rules']);

const blocksIn = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));

describe('Each block', () => {
  test('has a language that a test checks', () => {
    expect(blocks.length).toBeGreaterThan(70);
    const unknown = blocks.filter(({ language }) => !Object.hasOwn(checkedBy, language));
    expect(unknown.map(({ page, line, language }) => ({ page, line, language }))).toEqual([]);
  });

  test('of SQL, and each diagram, is in the page whose test runs it', () => {
    const found = blocksIn('sql', 'mermaid');
    expect(found.length).toBeGreaterThan(5);
    expect(new Set(found.map(({ page }) => page))).toEqual(new Set(['docs/ledger-tables.md']));
  });

  test('of CSV is in the tutorial, and of Python in one recipe', () => {
    expect(new Set(blocksIn('csv').map(({ page }) => page))).toEqual(new Set(['docs/first-sync.md']));
    expect(blocksIn('python').filter(({ page }) => page !== 'docs/recipes/ldap.md')).toEqual([]);
  });

  test.each(blocksIn('dotenv'))('of variables has a name and a value a line: $page, line $line', ({ code }) => {
    const lines = code
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(Object.keys(parseEnv(code)).length).toBe(lines.length);
    expect(lines.filter((line) => !/^[A-Z_]+=/.test(line))).toEqual([]);
  });

  test.each(blocksIn('json'))('of JSON parses: $page, line $line', ({ code }) => {
    expect(() => JSON.parse(code)).not.toThrow();
  });

  test.each(blocksIn('ini'))('of systemd has sections and keys: $page, line $line', ({ code }) => {
    const lines = code.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^\[\w+\]$/);
    expect(lines.slice(1).filter((line) => !/^[A-Z]\w+=\S/.test(line))).toEqual([]);
  });

  test.each(blocksIn('yaml'))('of YAML is a config that the loader accepts: $page, line $line', (block) => {
    expect(mistakeInYaml(block)).toBeUndefined();
  });

  test.each(blocksIn('ts', 'js'))('of TypeScript or JavaScript parses: $page, line $line', ({ code, language }) => {
    expect(parseSync(`snippet.${language}`, code).errors).toEqual([]);
  });
});

test('The programs in TypeScript that use the package have no type errors', () => {
  const programs = blocksIn('ts').filter(({ code }) => code.includes(`from 'feedferry`));
  expect(programs.length).toBeGreaterThan(1);
  // Inside the repository, where the types of Node are found.
  mkdirSync(join(root, '.cache'), { recursive: true });
  const dir = mkdtempSync(join(root, '.cache/docs-'));
  try {
    const paths = {
      feedferry: ['../../src/config/define-sync.ts'],
      'feedferry/cms': ['../../src/cms/client.ts'],
      'feedferry/sandbox': ['../../src/sandbox/server.ts'],
    };
    write(
      dir,
      'tsconfig.json',
      JSON.stringify({
        extends: '../../tsconfig.json',
        compilerOptions: { paths, noEmit: true, rootDir: '../..' },
        include: ['*.ts'],
      }),
    );
    for (const [index, { code }] of programs.entries()) write(dir, `snippet-${index}.ts`, code);
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', dir], { stdio: 'pipe' });
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('The TypeScript sync files are accepted by the loader', () => {
  const files = blocksIn('ts').filter(({ code }) => code.includes('defineSync'));
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap(({ code }) => mistakeOf({ 'syncs/shows.ts': code }) ?? [])).toEqual([]);
});

test('The mapping tests in docs/mapping.md pass with the examples', async () => {
  const [, snippet = ''] = /```yaml\n(# config\/tests\/.*?)```/s.exec(read('docs/mapping.md')) ?? [];
  using dir = temporaryDir();
  cpSync(join(root, 'examples'), dir.path, { recursive: true });
  rmSync(join(dir.path, 'tests'), { recursive: true });
  write(dir.path, 'tests/example.yaml', snippet);
  const local = { ...variables, CMS_BASE_URL: 'http://127.0.0.1:1' };
  const environment = readEnvironment(local, dir.path);
  const results = runMappingTests(loadConfig(dir.path, connectors, local), environment, []);
  expect(results.length).toBeGreaterThan(1);
  expect(results.filter(({ mistake, differences }) => mistake || differences.length > 0)).toEqual([]);
});

const variables = {
  CMS_BASE_URL: 'https://www.example.edu',
  CMS_API_TOKEN: 'token',
  ALERT_URL: 'https://alerts.example.edu',
  ALERT_SECRET: 'secret',
  FEED_SECRET: 'secret',
  SMTP_URL: 'smtp://mail.example.edu',
};
const baseAlerts = 'alerts: { email: { from: a@example.edu, to: b@example.edu, smtp: smtp://localhost } }';
const baseTarget = 'target: { baseUrl: "https://www.example.edu", token: token, timezone: UTC }';
const baseSyncs = {
  events: {
    resource: 'events',
    source: { connector: 'csv', url: './f.csv' },
    key: 'id',
    map: { title: 't', start: 's' },
  },
  accounts: {
    resource: 'accounts',
    source: { connector: 'csv', url: './f.csv' },
    key: 'email',
    map: { email: 'email' },
  },
};

/**
 * Returns what is wrong with a snippet: a file of the config folder or of another program, named in its first line; or a part of
 * a config file, which is checked within a whole one.
 */
function mistakeInYaml({ code, page }: Block): string | undefined {
  const [, file] = /^# (?:config\/)?((?:syncs|tests)\/\S+|feedferry\.yaml)/.exec(code) ?? [];
  if (file?.startsWith('tests/')) return page === 'docs/mapping.md' ? undefined : 'no test runs these mapping tests';
  if (file) return mistakeOf({ [file]: code });
  if (code.startsWith('# tokens.yaml')) return mistakeOfPeople(code);
  const content: unknown = parse(code);
  if (ofOtherPrograms.has(code.split('\n')[0] ?? '')) return undefined;
  // The line with the schema of an editor.
  if (content === null) return code.startsWith('# yaml-language-server: $schema=') ? undefined : 'it is empty';
  if (typeof content !== 'object') return 'it is no mapping';
  const isTarget = Object.keys(content).every((key) => key in targetFile.shape && key !== 'alerts');
  if (isTarget) return mistakeOf({ 'feedferry.yaml': `${'target' in content ? '' : baseTarget}\n${code}` });
  const mistakes = Object.values(baseSyncs).map((base) =>
    mistakeOf({ 'syncs/part.yaml': JSON.stringify({ ...base, ...content }) }),
  );
  return mistakes.includes(undefined) ? undefined : mistakes.join('\n');
}

/** Returns what the loader reports about these files of a config folder, completed by others that are right. */
function mistakeOf(files: Record<string, string>): string | undefined {
  using dir = temporaryDir();
  const complete = {
    'feedferry.yaml': `${baseTarget}\n${baseAlerts}`,
    'syncs/base.yaml': JSON.stringify(baseSyncs.events),
    ...files,
  };
  for (const [name, content] of Object.entries(complete)) write(dir.path, name, content);
  try {
    loadConfig(dir.path, [...connectors, cards], variables);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function mistakeOfPeople(code: string): string | undefined {
  using dir = temporaryDir();
  write(dir.path, 'tokens.yaml', code);
  try {
    loadPeople(join(dir.path, 'tokens.yaml'), { OTTO_TOKEN: 'o'.repeat(32), METRICS_TOKEN: 'm'.repeat(32) });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function write(dir: string, name: string, content: string): void {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), content);
}
