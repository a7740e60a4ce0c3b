import { toCodedError } from '../core/errors.ts';
import type { Feed } from '../core/feed.ts';
import type { FeedValidators } from '../core/source-reading.ts';
import { createFeed } from './content/create-feed.ts';
import { type FeedOptions, withDefaults } from './content/feed-options.ts';
import { createReceiptRecorder } from './content/receipt.ts';
import { type FeedLocation, formatLocation, parseFeedLocation } from './location/location.ts';
import { matchingFiles } from './location/open-file.ts';
import { openLocation } from './location/open-location.ts';

/**
 * Prepares to read a location: an absolute path or a pattern of paths, a file:, http(s): or webcal: URL, or `-` for
 * standard input. Nothing is opened yet.
 *
 * Reading a feed throws FF_FEED_FORMAT (empty, blank, a web page), FF_FEED_CHARSET or FF_FEED_TOO_LARGE. A feed that is
 * cut off ends at the cut, and the receipt reports it as incomplete.
 * @param validators of an earlier reading: make the request for an http(s) location conditional (RFC 9110, 13)
 * @throws CodedError FF_FEED_UNREADABLE if feedferry does not read such locations
 */
export function readFeeds(location: string, options: FeedOptions = {}, validators?: FeedValidators) {
  const settings = withDefaults(options);
  const start = parseFeedLocation(location);
  const recorder = createReceiptRecorder(formatLocation(start));
  let opening: ReturnType<typeof openFirst> | undefined;
  return {
    open,
    feeds,
    /** Covers everything read so far. If opening failed, the receipt has the reason. */
    receipt: recorder.receipt,
    /** How everything was transferred so far. */
    facts: recorder.facts,
    /** Text that is not valid in its charset, so far. */
    damage: recorder.damage,
  };

  /**
   * Opens the location, once. `unmodified`: the feed has not changed since the earlier reading, so there is nothing to read.
   * @throws CodedError FF_FEED_MISSING, FF_FEED_UNREADABLE, FF_FEED_STATUS, FF_FEED_TIMEOUT or FF_FEED_ADDRESS
   */
  async function open(): Promise<'modified' | 'unmodified'> {
    return (await opened()).first.isUnmodified ? 'unmodified' : 'modified';
  }

  /** Yields the feed, or one feed for each file of a pattern. Opens the location if necessary. */
  async function* feeds(): AsyncGenerator<Feed> {
    const { first, others } = await opened();
    yield createFeed(first, settings, recorder);
    for (const other of others) {
      yield createFeed(await openLocation(other, settings).catch(recordFailure), settings, recorder);
    }
  }

  function opened() {
    opening ??= openFirst().catch(recordFailure);
    return opening;
  }

  async function openFirst() {
    const paths = start.is === 'file' ? await matchingFiles(start.path) : [];
    const [first = start, ...others] = paths.map((path): FeedLocation => ({ is: 'file', path }));
    return { first: await openLocation(first, settings, others.length === 0 ? validators : undefined), others };
  }

  function recordFailure(error: unknown): never {
    recorder.fail(toCodedError(error).message);
    throw error;
  }
}
