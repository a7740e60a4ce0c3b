import type { SourceRecord } from '../core/record.ts';

/** Records of a feed, as its connector reads them, and how it was read. */
export interface FeedSample {
  /** The path or address of the feed, as a sync file would name it. */
  url: string;
  connector: string;
  /** Keys of `source` that reading it takes besides `connector` and `url`: `{ delimiter: ';' }`, `{ items: 'data' }`. */
  options: Readonly<Record<string, unknown>>;
  records: readonly SourceRecord[];
  /** Whether these are all records of the feed. */
  isWhole: boolean;
  /** The zone of the calendar or document, if it names one (IANA). */
  timezone?: string;
  /** The beginning of the text, as far as it identifies the program that wrote it: at most 4,000 characters. */
  head: string;
}
