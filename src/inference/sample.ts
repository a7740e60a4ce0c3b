import type { SourceRecord } from '../core/record.ts';

/** Records of a feed as its connector reads them, and the options used. */
export interface FeedSample {
  /** Path or address of the feed, in the form for a sync file. */
  url: string;
  connector: string;
  /** Keys of `source` that the feed needs besides `connector` and `url`: `{ delimiter: ';' }`, `{ items: 'data' }`. */
  options: Readonly<Record<string, unknown>>;
  records: readonly SourceRecord[];
  /** Whether these are all records of the feed. */
  isWhole: boolean;
  /** IANA zone of the calendar or document, if the feed names one. */
  timezone?: string;
  /** First characters of the text (at most 4,000), which may identify the program that wrote the feed. */
  head: string;
}
