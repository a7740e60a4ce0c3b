import { expect, test } from 'vitest';
import { jsonfeed } from '../../../connectors/jsonfeed/jsonfeed.ts';
import { readFeed } from './read-feed.ts';

const feed = (items: object[], nextUrl?: string) =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'News',
    authors: [{ name: 'A' }],
    next_url: nextUrl,
    items,
  });

test('The items of all pages become records with their content', async () => {
  const { records, error } = await readFeed(
    jsonfeed,
    feed([{ id: '1', title: 'One', content_html: '<p>x</p>', content_text: 'x', tags: ['a'] }], '/2.json'),
    {
      pages: {
        '/2.json': feed([{ id: 'BIG', content_text: 'y' }, { id: '3' }]).replace('"BIG"', '9007199254740993'),
      },
    },
  );
  expect(error).toBeUndefined();
  expect(records.map(({ at, fields }) => [at, fields.id, fields.content])).toEqual([
    ['$.items[0]', '1', '<p>x</p>'],
    ['page 2, $.items[0]', '9007199254740993', 'y'],
    ['page 2, $.items[1]', '3', undefined],
  ]);
  expect(records[0]!.fields.tags).toEqual(['a']);
});

test.each([
  ['{"error":"no"}', 'does not have a list at $.items: it has "error"'],
  ['<!doctype html><p>Log in', 'looks like a web page'],
])('The document %s is refused', async (text, message) => {
  const { error } = await readFeed(jsonfeed, text);
  expect(error?.code).toBe('FF_FEED_FORMAT');
  expect(error?.message).toContain(message);
});
