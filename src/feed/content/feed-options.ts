import type { SourceConfig } from '../../config/types.ts';

/** How a feed is opened: the options of its sync file, and what its connector and its run add. */
export type FeedOptions = SourceConfig['feed'] & {
  /** Whether a web page is accepted. By default, a web page is refused as a login or error page. */
  acceptsHtml?: boolean;
  signal?: AbortSignal;
  /** Refuses addresses, also those of further pages. */
  localOnly?: boolean;
  /** Only the first records are needed, so files are read in small chunks. */
  firstOnly?: boolean;
};

export type FeedSettings = ReturnType<typeof withDefaults>;

/** Fills in the defaults that docs/configuration.md names. */
export function withDefaults(options: FeedOptions) {
  const { maxBytes = 500_000_000, maxRatio = 200, timeoutMs = 60_000, allowPrivateNetwork = false } = options;
  return { ...options, maxBytes, maxRatio, timeoutMs, allowPrivateNetwork };
}
