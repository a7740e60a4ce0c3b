/** A value at which the target was overloaded, which is not tried again before a certain time. */
export interface TooMuch {
  at: number;
  /** By the ledger's clock, in ms since 1970. */
  until: number;
  /** Length of the time that ends at `until`; doubles while the target is still overloaded at the value. */
  forMs: number;
}

/** How many requests a target takes, as measured by all processes. */
export interface Pace {
  /** Requests in flight. */
  limit: number;
  limitTooMuch?: TooMuch;
  /** Requests per second; absent: the target has not refused any (429). */
  perSecond?: number;
  rateTooMuch?: TooMuch;
  /** Reductions of the rate in a row. */
  reductions?: number;
  /** Until then, refusals do not limit the rate, because the target refused requests at any rate. By the ledger's clock. */
  unlimitedUntil?: number;
  /** How long each operation takes while the target is not loaded, in ms. */
  idleMs: Readonly<Record<string, number>>;
  /** Share of the requests that fail although the target is not loaded. */
  idleFailures: number;
  /** Time of the last change, by the ledger's clock, in ms since 1970. */
  changedAt: number;
}
