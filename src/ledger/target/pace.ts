/** A pace that was too much for a target, and is not tried again before a certain time. */
export interface TooMuch {
  /** Requests in flight. */
  at: number;
  /** Requests per second; absent: not limited. */
  rate?: number;
  /** By the ledger's clock, in ms since 1970. */
  until: number;
  /** Length of the time that ends at `until`; doubles while the target is still overloaded at this pace. */
  forMs: number;
}

/** How many requests a target takes, as measured by all processes. */
export interface Pace {
  /** Requests in flight. */
  limit: number;
  /** Requests per second; absent: the target has not refused any (429). */
  perSecond?: number;
  hold?: TooMuch;
  /** Requests in a row that the target has refused, although the rate was limited. */
  refusals?: number;
  /** Until then, refusals do not limit the rate, because the target refused requests at any rate. By the ledger's clock. */
  unlimitedUntil?: number;
  /** How long each operation takes while the target is not loaded, in ms. */
  idleMs: Readonly<Record<string, number>>;
  /** Share of the requests that fail although the target is not loaded. */
  idleFailures: number;
  /** Time of the last change, by the ledger's clock, in ms since 1970. */
  changedAt: number;
}
