/** Clocks drift, and are corrected by small steps. */
const DRIFT_MS = 1_000;

/** A reading of the ledger's clock: ms since 1970, read between two moments of this process, by its monotonic clock. */
interface ClockReading {
  now: number;
  begin: number;
  end: number;
}

/**
 * Watches whether the ledger's clock is set forward, by the time that each reading shows. A clock that is set forward ends
 * leases and pauses too early.
 * @returns a function that takes a reading and returns the moment of this process since which times of the ledger can be
 * trusted: the moment of the first reading, or of the first one after the clock was set
 */
export function watchClock(): (reading: ClockReading) => number {
  let before: ClockReading | undefined;
  let trustedSince = 0;
  return (reading) => {
    const elapsedMs = before ? reading.end - before.begin : 0;
    if (!before || reading.now - before.now > elapsedMs + DRIFT_MS) trustedSince = reading.end;
    before = reading;
    return trustedSince;
  };
}
