import { expect, test } from 'vitest';
import { pages, read } from './markdown.ts';

const FROM_REGISTRY = /npm install (--global |-g )?feedferry|npx feedferry/;

test('No page tells readers to install feedferry from a registry before it is published there', () => {
  const lines = pages.flatMap((page) =>
    read(page)
      .replace(/^```sh\n# Once feedferry is published, .*?^```$/gms, '')
      .split('\n')
      .map((line) => ({ page, line })),
  );
  const found = lines.filter(({ line }) => FROM_REGISTRY.test(line));
  expect(found.filter(({ line }) => !line.startsWith('Once feedferry is published, '))).toEqual([]);
});
