/** What the API answered since the start, or since the counters were last cleared. */
export interface SandboxStats {
  /** All requests under /api/v1. */
  total: number;
  /** Method and route → requests, e.g. "POST /calendar/events". */
  requests: Record<string, number>;
  /** Status → answers; "broken" if the connection ended before the answer did. */
  answers: Record<string, number>;
  inFlight: number;
  peakInFlight: number;
  /** The most requests that arrived within any 1,000 ms. */
  peakPerSecond: number;
}

/** Counts requests as they arrive and end. */
export type Counters = ReturnType<typeof counters>;

const second = 1000;

/** `now` in ms, ever rising. */
export function counters(now: () => number = () => performance.now()) {
  let stats = zero(0);
  let inFlight = 0;
  let arrivals: number[] = [];
  let oldest = 0;

  function countSecond(): void {
    const at = now();
    arrivals.push(at);
    while ((arrivals[oldest] ?? at) <= at - second) oldest += 1;
    stats.peakPerSecond = Math.max(stats.peakPerSecond, arrivals.length - oldest);
    if (oldest > 10_000) {
      arrivals = arrivals.slice(oldest);
      oldest = 0;
    }
  }

  return {
    arrive() {
      stats.total += 1;
      inFlight += 1;
      stats.peakInFlight = Math.max(stats.peakInFlight, inFlight);
      countSecond();
    },
    /** Once a request: its route, and its status if it got one. */
    end(route: string, answer: string) {
      inFlight -= 1;
      stats.requests[route] = (stats.requests[route] ?? 0) + 1;
      stats.answers[answer] = (stats.answers[answer] ?? 0) + 1;
    },
    read: (): SandboxStats => ({ ...stats, requests: { ...stats.requests }, answers: { ...stats.answers }, inFlight }),
    clear() {
      stats = zero(inFlight);
      arrivals = [];
      oldest = 0;
    },
  };
}

function zero(inFlight: number): SandboxStats {
  return { total: 0, requests: {}, answers: {}, inFlight, peakInFlight: inFlight, peakPerSecond: 0 };
}
