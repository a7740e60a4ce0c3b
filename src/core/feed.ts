/** What was read of a feed, and whether it was the whole of it. Stored with the run. */
export interface FeedReceipt {
  /** As people may see it: without credentials. */
  location: string;
  /** HTTP status, for http(s) locations. */
  status?: number;
  bytes: number;
  /** Hex SHA-256 of the bytes read. */
  sha256: string;
  etag?: string;
  lastModified?: string;
  /** The charset that the bytes were decoded with, once `text()` was read. */
  charset?: string;
  /** How sure that is, in per cent, where the charset was only guessed from the bytes. */
  charsetConfidence?: number;
  durationMs: number;
  /** Only a complete read can prove that a record is missing. */
  complete: boolean;
  /** Why it is not complete. */
  reason?: string;
}

/** An opened feed. Its content can be read once, either as bytes or as text. */
export interface Feed {
  /** As people may see it: without credentials. */
  readonly location: string;
  readonly contentType?: string;
  bytes(): AsyncIterable<Uint8Array>;
  /** Decoded text: BOM, then declared charset, then strict UTF-8, then detection. NULs stay: formats judge them. */
  text(): AsyncIterable<string>;
  /** Where the answer itself says that the next page is: Link header with rel="next" (RFC 8288). For `follow`. */
  readonly nextPage?: string;
  /**
   * Opens a further page of the same source: a URL or path, resolved against this page's own, or query parameters to set
   * on this page's own. Options stay the same, and configured query parameters that a page does not name are added;
   * both they and credentials go along only while the host stays the same. What it reads counts in the same receipt.
   * @throws CodedError FF_FEED_… like the opening of a feed
   */
  follow(page: string | { query: Readonly<Record<string, string>> }): Promise<Feed>;
  /** Call it after reading to the end; before that `complete` is false. */
  receipt(): FeedReceipt;
}
