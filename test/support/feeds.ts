import type { Feed } from '../../src/core/feed.ts';
import type { FeedOptions } from '../../src/feed/content/feed-options.ts';
import { readFeeds } from '../../src/feed/open.ts';

/** Options for feeds from a server that the test itself starts. */
export const local = { allowPrivateNetwork: true, retries: 0 };

/** Opens a location that has only one feed. */
export async function openFeed(location: string, options?: FeedOptions): Promise<Feed> {
  for await (const feed of readFeeds(location, options).feeds()) return feed;
  throw new Error(`${location} has no feed`);
}

export async function textOf(feed: Feed): Promise<string> {
  let text = '';
  for await (const part of feed.text()) text += part;
  return text;
}

export async function readText(location: string, options?: FeedOptions): Promise<string> {
  return textOf(await openFeed(location, options));
}
