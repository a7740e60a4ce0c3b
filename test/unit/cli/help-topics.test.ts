import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandList } from '../../../src/cli/command-list.ts';
import { readTopics } from '../../../src/cli/help-topics.ts';

const root = join(import.meta.dirname, '../../..');
const topics = readTopics().map(({ name }) => name);

test('The topics are the pages for users', () => {
  expect(topics).toEqual(expect.arrayContaining(['configuration', 'localist', 'mapping', 'recipes', 'sandbox']));
  expect(topics).not.toContain('README');
  expect(readTopics(join(root, 'nowhere'))).toEqual([]);
});

test('Messages name topics that exist, and no path of the package', () => {
  const files = globSync(['src/**/*.ts', 'connectors/**/*.ts', 'config/*.yaml'], { cwd: root });
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8').replace(/^ *(\/\/|\/?\*).*$/gm, ''));
  const named = texts.flatMap((text) => [...text.matchAll(/`feedferry help ([\w-]+)`/g)].map(([, topic]) => topic));
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((topic = '') => ![...topics, ...Object.keys(commandList), 'topics'].includes(topic))).toEqual([]);
  expect(texts.flatMap((text) => text.match(/docs\/\w+\.md/g) ?? [])).toEqual([]);
});
