import { resolve } from 'node:path';
import { CodedError } from '../../core/errors.ts';
import { openSample } from '../../source/sample/sample-feed.ts';

/** An open feed that was named on the command line. */
export type OpenSource = Awaited<ReturnType<typeof openSource>>;

/**
 * Opens a feed.
 * @param source a path from the working directory, an address, or `-`
 * @throws CodedError FF_FEED_… if it cannot be read; FF_USAGE for an address with a password, which the sync file would show
 */
export async function openSource(source: string, signal: AbortSignal) {
  const { username, password, host } = URL.parse(source) ?? {};
  if (username || password) {
    throw new CodedError(
      'FF_USAGE',
      `The address of ${host} has a user name or password, which the sync file would show.`,
      {
        remedy:
          'Save the feed as a file and run init on it. Then set source.url, and source.auth with `${FEED_PASSWORD}` from .env.',
      },
    );
  }
  const isPath = source !== '-' && !/^[a-z][a-z0-9+.-]+:\/\//i.test(source);
  const location = isPath ? resolve(source) : source;
  return { location, beginning: await openSample(location, signal) };
}
