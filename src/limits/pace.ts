/** How long after its turn a request may leave this process. */
const SENDING_MS = 10;
/** A delayed request may be followed sooner by the next ones, so that delays do not lower the rate. */
const CATCH_UP_MS = 50;

/** A limit on the rate of requests: how many may be sent in any period. */
export interface Rate {
  requests: number;
  periodMs: number;
}

/** Returns the limit in whole requests: 2.5 a second are 2 in any 0.8 s, 0.5 a second are 1 in any 2 s. */
export function rateOf(requestsPerSecond: number): Rate {
  const requests = Math.max(1, Math.floor(requestsPerSecond));
  return { requests, periodMs: (1000 * requests) / requestsPerSecond + SENDING_MS };
}

/** The right to send one request. */
export interface Turn {
  /** `performance.now()` when the request was sent; infinite until then. */
  sentAt: number;
}

/** Creates the pace of this process: as many requests in any period as it has permits, evenly spread. */
export function createPace(periodMs: number) {
  let turns: Turn[] = [];
  let nextAt = 0;
  return { used, waitMs, take, giveBack };

  /** Returns how many requests the current period has. */
  function used(): number {
    const from = performance.now() - periodMs;
    turns = turns.filter(({ sentAt }) => sentAt > from);
    return turns.length;
  }

  /** Returns how long to wait for the next turn; infinite if that depends on a request that was not sent yet. */
  function waitMs(permits: number): number {
    if (permits === 0) return Number.POSITIVE_INFINITY;
    const inTheWay = turns[used() - permits];
    const freeAt = inTheWay ? inTheWay.sentAt + periodMs : 0;
    return Math.max(0, Math.max(freeAt, nextAt) - performance.now());
  }

  function take(permits: number): Turn {
    nextAt = Math.max(nextAt, performance.now() - CATCH_UP_MS) + periodMs / permits;
    const turn = { sentAt: Number.POSITIVE_INFINITY };
    turns.push(turn);
    return turn;
  }

  /** Returns a turn that was not used. */
  function giveBack(turn: Turn): void {
    turns = turns.filter((other) => other !== turn);
  }
}
