import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

// The import rule: which room of the house may import which. A room may always import from itself.
const rule: Record<string, string[]> = {
  'src/core': [],
  'src/config': ['src/core'],
  'src/feed': ['src/core'],
  'src/mapping': ['src/core'],
  'src/ledger': ['src/core'],
  'src/queue': ['src/core'],
  'src/cms': ['src/core'],
  'src/alerts': ['src/core', 'src/ledger'],
  'src/sandbox': ['src/core'],
  'src/dashboard': ['src/core'],
  connectors: ['src/core'],
  'src/sync': ['src/core', 'src/mapping', 'src/cms', 'src/ledger'],
  'src/app': [
    'src/core',
    'src/config',
    'src/feed',
    'src/mapping',
    'src/ledger',
    'src/queue',
    'src/cms',
    'src/sync',
    'src/alerts',
    'connectors',
  ],
  'src/doctor': ['src/core', 'src/config', 'src/feed', 'src/ledger', 'src/queue', 'src/cms', 'src/sync', 'src/app'],
  'src/cli': [
    'src/core',
    'src/app',
    'src/doctor',
    'src/config',
    'src/ledger',
    'src/sync',
    'src/sandbox',
    'src/dashboard',
  ],
};
const root = resolve(import.meta.dirname, '../..');

describe('the import rule', () => {
  test.each(Object.keys(rule))('%s imports only what it may', (room) => {
    const files = sourceFiles(join(root, room));
    expect(files.length).toBeGreaterThan(0);
    const forbidden = files.flatMap((file) =>
      importsOf(file)
        .map((target) => roomOf(target))
        .filter((target) => target !== room && !rule[room]?.includes(target))
        .map((target) => `${relative(root, file)} → ${target}`),
    );
    expect(forbidden).toEqual([]);
  });

  test('every source file stands in a room', () => {
    const strays = [...sourceFiles(join(root, 'src')), ...sourceFiles(join(root, 'connectors'))].filter(
      (file) => !(roomOf(file) in rule),
    );
    expect(strays).toEqual([]);
  });

  test('only bullmq.ts and its schedules know BullMQ', () => {
    const knowing = sourceFiles(join(root, 'src')).filter((file) => /from 'bullmq'/.test(readFileSync(file, 'utf8')));
    expect(knowing.map((file) => relative(root, file))).toEqual([
      'src/queue/bullmq-schedules.ts',
      'src/queue/bullmq.ts',
    ]);
  });
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function importsOf(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g);
  return [...specifiers].map(([, specifier]) => resolve(dirname(file), specifier ?? ''));
}

function roomOf(path: string): string {
  const [first, second] = relative(root, path).split('/');
  return first === 'src' ? `src/${second}` : (first ?? '');
}
