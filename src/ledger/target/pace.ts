/** A value at which the target was overloaded; it is not tried again before a time. */
export interface TooMuch {
  at: number;
  /** By the ledger's clock, in ms since 1970. */
  until: number;
  /** How long that was from then on; doubles while the target is still overloaded at that value. */
  forMs: number;
}

/** How many requests a target takes, as all processes have found out. */
export interface Pace {
  /** Requests in flight. */
  limit: number;
  limitTooMuch?: TooMuch;
  /** Requests per second; absent: the target has not refused any (429). */
  perSecond?: number;
  rateTooMuch?: TooMuch;
  /** Reductions of the rate in a row. */
  reductions?: number;
  /** Until then refusals do not limit the rate, because the target refused requests at any. By the ledger's clock. */
  unlimitedUntil?: number;
  /** How long each operation takes while the target is not loaded, in ms. */
  idleMs: Readonly<Record<string, number>>;
  /** Share of the requests that fail although the target is not loaded. */
  idleFailures: number;
  /** Time of the last change, by the ledger's clock, in ms since 1970. */
  changedAt: number;
}
