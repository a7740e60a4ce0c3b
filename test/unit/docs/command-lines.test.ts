import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programs } from '../../../scripts/programs.ts';
import { commandsIn, feedferryArgs, mistakeIn } from './command-lines.ts';
import { blocks, pages, proseOf, read, root } from './markdown.ts';

const scripts = blocks.flatMap(({ page, line, language, code }) => {
  if (language === 'sh') return [{ page, line, code }];
  if (language !== 'console') return [];
  return [{ page, line, code: [...code.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => `${command}\n`).join('') }];
});
const lines = scripts.flatMap(({ page, line, code }) => commandsIn(code).map((words) => ({ page, line, words })));

describe('The shell scripts in the docs', () => {
  test.each(scripts)('are valid: $page, line $line', ({ code }) => {
    expect(code.trim()).not.toBe('');
    execFileSync('bash', ['-n'], { input: code, stdio: 'pipe' });
  });

  test('use commands, arguments and options of feedferry that exist', () => {
    const found = lines.flatMap(({ page, line, words }) => {
      const args = feedferryArgs(words);
      return args ? [{ page, line, args, mistake: mistakeIn(args) }] : [];
    });
    expect(found.length).toBeGreaterThan(20);
    expect(found.filter(({ mistake }) => mistake)).toEqual([]);
  });

  test('name files of the repository that exist', () => {
    const entries = readdirSync(root).filter((name) => name !== 'dist' && name !== 'node_modules');
    const named = lines.flatMap(({ page, line, words }) => {
      const paths = words.filter((word) => entries.includes(word.split('/')[0] ?? '') && /[./]/.test(word));
      return paths.map((path) => ({ page, line, path }));
    });
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ path }) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
  });

  test('would show a mistake', () => {
    const mistakes = ['sync --dryrun', 'preview', 'preview a b', 'snyc', 'runs --limit'].map((line) =>
      mistakeIn(line.split(' ')),
    );
    expect(mistakes.map((mistake) => /unknown option|missing|too many|no command/.exec(mistake ?? '')?.[0])).toEqual([
      'unknown option',
      'missing',
      'too many',
      'no command',
      'missing',
    ]);
    expect(feedferryArgs(commandsIn('cd /tmp && A="b c" npx feedferry plan x > y')[1] ?? [])).toEqual(['plan', 'x']);
  });
});

test('Commands in the text exist, with their options', () => {
  const spans = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/`(?:npx )?feedferry ([a-z][^`]*)`/g)].map(([, args = '']) => ({
      page,
      args: feedferryArgs(commandsIn(`feedferry ${args.replaceAll('\n', ' ')}`)[0] ?? []) ?? [],
    })),
  );
  expect(spans.length).toBeGreaterThan(60);
  const found = spans.map((span) => ({ ...span, mistake: mistakeIn(span.args) }));
  // A command may be named without its arguments.
  expect(found.filter(({ mistake }) => mistake && !mistake.includes('missing required argument'))).toEqual([]);
});

test('The npm scripts that the docs name exist', () => {
  const { scripts: known } = JSON.parse(read('package.json'));
  const named = (pattern: RegExp) =>
    pages.flatMap((page) => [...read(page).matchAll(pattern)].map(([, name = '']) => name));
  const npmScripts = named(/npm run (?:--silent )?([\w:]+)/g);
  const ofDevelopers = named(/npm run (?:--silent )?dev -- ([\w:]+)/g).filter((name) => name !== 'NAME');
  expect(Math.min(new Set(npmScripts).size, new Set(ofDevelopers).size)).toBeGreaterThan(9);
  expect(npmScripts.filter((script) => !(script in known))).toEqual([]);
  expect(ofDevelopers.filter((name) => !(name in programs))).toEqual([]);
});

test('The source files that the docs name exist', () => {
  const named = pages.flatMap((page) => [
    ...read(page).matchAll(/`((?:src|connectors|test|scripts|site)\/[\w./-]+)`/g),
  ]);
  const paths = named.map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
