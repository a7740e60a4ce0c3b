/** A running sandbox. */
export interface Sandbox extends AsyncDisposable {
  /** Base URL, without /api/v1 and without a slash at its end. */
  readonly url: string;
  /** The API token. */
  readonly token: string;
  /** Number of requests under /api/v1 that have changed something since the start. */
  writes(): number;
  /** Ends all connections, then closes the store. */
  close(): Promise<void>;
}
