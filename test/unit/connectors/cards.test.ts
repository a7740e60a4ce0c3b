import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { cards } from './cards.ts';
import { readFeed } from './read-feed.ts';

test('The example of docs/development/adding-a-connector.md is this code', async () => {
  const code = await readFile(new URL('cards.ts', import.meta.url), 'utf8');
  const guide = await readFile(new URL('../../../docs/development/adding-a-connector.md', import.meta.url), 'utf8');
  expect(guide).toContain(code.replaceAll("'../../../src/", "'../../src/"));
});

test('The example connector yields records and rejections', async () => {
  const { records, rejections } = await readFeed(cards, 'title: Concert\nroom: Hall\n\nnonsense\n\ntitle: Talk: one');
  expect(records).toEqual([
    { at: 'card 1', fields: { title: 'Concert', room: 'Hall' } },
    { at: 'card 3', fields: { title: 'Talk: one' } },
  ]);
  expect(rejections).toMatchObject([{ at: 'card 2', reason: '"nonsense" has no ":"' }]);
  expect((await readFeed(cards, 'a,b')).error?.code).toBe('FF_FEED_FORMAT');
});
