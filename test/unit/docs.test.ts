import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { connectors } from '../../connectors/index.ts';
import { readEnvironment } from '../../src/app/environment.ts';
import { runMappingTests } from '../../src/app/mapping-tests.ts';
import { loadConfig } from '../../src/config/load.ts';
import { targetFile } from '../../src/config/schema/target-schema.ts';
import { temporaryDir } from '../support/engines.ts';
import { cards } from './connectors/cards.ts';

const root = resolve(import.meta.dirname, '../..');
const userPages = ['README.md', ...pagesIn('docs', { recursive: false })];
const others = ['CONTRIBUTING.md', 'CHANGELOG.md', 'test/README.md'];
const pages = [...new Set([...userPages, ...others, ...pagesIn('docs', { recursive: true })])];

describe('The docs', () => {
  test('link to files and headings that exist', () => {
    const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(isBroken)).toEqual([]);
  });

  test('name commands and options that exist', async () => {
    const commands = await loadCommands();
    const invocations = pages.flatMap((page) => invocationsIn(page));
    expect(invocations.length).toBeGreaterThan(60);
    const unknown = invocations.filter(({ command, options }) => {
      const known = commands.get(command);
      return !known || options.some((option) => !known.includes(option));
    });
    expect(unknown).toEqual([]);
  });

  test('name npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script),
    );
    expect(new Set(named).size).toBeGreaterThan(10);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  test('have JSON snippets that parse', () => {
    const snippets = pages.flatMap((page) => snippetsOf(page, 'json'));
    expect(snippets.length).toBeGreaterThan(3);
    for (const snippet of snippets) expect(() => JSON.parse(snippet), snippet).not.toThrow();
  });

  test('have config snippets that the loader accepts', () => {
    const snippets = pages.flatMap((page) => snippetsOf(page, 'yaml'));
    expect(snippets.length).toBeGreaterThan(15);
    expect(snippets.flatMap((snippet) => mistakeIn(snippet) ?? [])).toEqual([]);
  });

  test('name source files that exist', () => {
    const named = pages.flatMap((page) => [...read(page).matchAll(/`((?:src|connectors|test|scripts)\/[\w./-]+)`/g)]);
    const paths = named.map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(60);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('name source files only in the pages for developers', () => {
    expect(userPages.filter((page) => /(?<![\w/])(src|connectors)\/\w/.test(read(page)))).toEqual([]);
  });
});

describe('docs/README.md', () => {
  test('has one entry for each page', () => {
    const targets = linksOf('docs/README.md').map((link) => relative('.', join('docs', link)));
    expect(targets.filter((target, index) => targets.indexOf(target) !== index)).toEqual([]);
    const isListed = (page: string) => targets.includes(page) || /^docs\/(decisions|recipes)\//.test(page);
    expect(pages.filter((page) => page !== 'docs/README.md' && page !== 'CHANGELOG.md' && !isListed(page))).toEqual([]);
  });
});

describe('docs/commands.md', () => {
  test('has a section for each command, with all of its options', async () => {
    const sections = read('docs/commands.md').split(/^### /m).slice(1);
    for (const [name, options] of await loadCommands()) {
      const section = sections.find((text) => new RegExp(`^[^\n]*\`${name}\\b`).test(text)) ?? '';
      // The options of the sandbox have a page of their own.
      const text = name === 'sandbox' ? `${read('docs/sandbox.md')} \`sandbox\`` : section;
      const own = options.filter((option) => !['--config', '--json', '--help'].includes(option));
      const missing = own.filter((option) => !text.includes(option) && !text.includes(asSwitch(option)));
      expect({ name, hasSection: section !== '', missing }).toEqual({ name, hasSection: true, missing: [] });
    }
  });
});

describe('docs/mapping.md', () => {
  test('has mapping tests that pass with the example config', async () => {
    const [, snippet = ''] = /```yaml\n(# config\/tests\/.*?)```/s.exec(read('docs/mapping.md')) ?? [];
    using dir = temporaryDir();
    cpSync(join(root, 'config'), dir.path, { recursive: true });
    rmSync(join(dir.path, 'tests'), { recursive: true });
    write(dir.path, 'tests/example.yaml', snippet);
    const environment = readEnvironment(variables, dir.path);
    const results = await runMappingTests(loadConfig(dir.path, connectors, variables), environment, []);
    expect(results.length).toBeGreaterThan(1);
    expect(results.filter(({ mistake, differences }) => mistake || differences.length > 0)).toEqual([]);
  });

  test('has a TypeScript sync file that the loader accepts', () => {
    const [snippet = ''] = snippetsOf('docs/mapping.md', 'ts');
    expect(mistakeOf({ 'syncs/shows.ts': snippet })).toBeUndefined();
  });
});

const variables = {
  CMS_BASE_URL: 'https://www.example.edu',
  CMS_API_TOKEN: 'token',
  ALERT_URL: 'https://alerts.example.edu',
  ALERT_SECRET: 'secret',
  SMTP_URL: 'smtp://mail.example.edu',
};
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
 * A snippet is a file of the config folder, named in its first line; or a part of one, which is checked within a whole one;
 * or the file of another program, named in its first line.
 */
function mistakeIn(snippet: string): string | undefined {
  const [, file] = /^# config\/(\S+)/.exec(snippet) ?? [];
  if (file) return file.startsWith('tests/') ? undefined : mistakeOf({ [file]: snippet });
  const content: unknown = parse(snippet);
  if (snippet.startsWith('# ')) return undefined;
  if (typeof content !== 'object' || content === null) return 'it is no mapping';
  const isTarget = Object.keys(content).every((key) => key in targetFile.shape && key !== 'alerts');
  if (isTarget) return mistakeOf({ 'feedferry.yaml': `${baseTarget}\n${snippet}` });
  const mistakes = Object.values(baseSyncs).map((base) =>
    mistakeOf({ 'syncs/part.yaml': JSON.stringify({ ...base, ...content }) }),
  );
  return mistakes.includes(undefined) ? undefined : mistakes.join('\n');
}

/** What the loader says against a config folder of these files, completed by others that are right. */
function mistakeOf(files: Record<string, string>): string | undefined {
  using dir = temporaryDir();
  const complete = { 'feedferry.yaml': baseTarget, 'syncs/base.yaml': JSON.stringify(baseSyncs.events), ...files };
  for (const [name, content] of Object.entries(complete)) write(dir.path, name, content);
  try {
    loadConfig(dir.path, [...connectors, cards], variables);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function write(dir: string, name: string, content: string): void {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), content);
}

/** The options of each command. */
async function loadCommands(): Promise<Map<string, string[]>> {
  const folder = join(root, 'src/cli/commands');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(
    files.map((file) => import(join(folder, file)) as Promise<Record<string, unknown>>),
  );
  const commands = modules
    .flatMap((module) => Object.entries(module))
    .filter(([name]) => /^[a-z]+Command$/.test(name))
    .map(([, command]) => command as Command);
  const optionsOf = ({ options }: Command) => options.map(({ long }) => long ?? '');
  return new Map(commands.map((command) => [command.name(), [...optionsOf(command), '--help']]));
}

/** `--last-page` is shown as the switch `lastPage`. */
function asSwitch(option: string): string {
  return `\`${option.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}\``;
}

/** The commands in code spans and shell snippets. */
function invocationsIn(page: string): Array<{ page: string; command: string; options: string[] }> {
  const spans = read(page)
    .replace(/```.*?```/gs, '')
    .matchAll(/`([^`]+)`/g);
  const code = [...snippetsOf(page, 'sh'), ...[...spans].map(([, span = '']) => span.replaceAll('\n', ' '))].join('\n');
  const found = code.matchAll(/(?<!-u )(?<![\w./-])feedferry (?:-- )?([a-z]+)([^\n`#>]*)/g);
  return [...found].map(([, command = '', rest = '']) => {
    return { page, command, options: rest.match(/(?<=\s)--[a-z-]+/g) ?? [] };
  });
}

function snippetsOf(page: string, language: string): string[] {
  const found = read(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
  return [...found].map(([, code = '']) => code);
}

function isBroken({ page, link }: { page: string; link: string }): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

/** Links to other files and headings, without those to other sites. */
function linksOf(page: string): string[] {
  const text = read(page).replace(/^```.*?^```/gms, '');
  const found = text.replace(/`[^`\n]*`/g, '`').matchAll(/\]\(([^)\s]+)\)/g);
  return [...found].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
}

/** As GitHub makes them of headings. */
function anchorsOf(page: string): string[] {
  const headings = read(page)
    .replace(/^```.*?^```/gms, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function pagesIn(folder: string, { recursive }: { recursive: boolean }): string[] {
  return readdirSync(join(root, folder), { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .toSorted();
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
