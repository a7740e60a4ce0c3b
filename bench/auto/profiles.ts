/** How a simulated CMS responds to one request. */
export interface Reply {
  status: 200 | 429 | 503;
  tookMs: number;
  retryAfterMs?: number;
}

/** A request that arrives. `inFlight`: requests that the CMS has, with this one. Times in ms. */
export interface Arrival {
  at: number;
  inFlight: number;
  /** Returns a number from 0 to 1. */
  random: () => number;
}

export interface Profile {
  name: string;
  /** Returns a CMS that nobody has used yet. */
  cms: () => (request: Arrival) => Reply;
  /** What the response times are compared with, in ms; absent: they are not limited. */
  idleMs?: (at: number) => number;
  processes?: number;
  /** Work comes in bursts of so many requests, so often. */
  bursts?: { requests: number; everyMs: number };
}

const unbounded = (idle: (at: number) => number) => ({
  cms: () => (request: Arrival) => ok(request, idle(request.at)),
  idleMs: idle,
});

/** The CMSs for which the number of requests in flight has to be found. */
export const profiles: readonly Profile[] = [
  { name: '0 ms', ...unbounded(() => 1) },
  { name: '20 ms', ...unbounded(() => 20) },
  { name: '200 ms', ...unbounded(() => 200) },
  { name: '429 above 5 a second', cms: () => limited(5, 20), idleMs: () => 20 },
  {
    name: 'soft knee at 4',
    cms: () => (request) => ok(request, 50 * Math.max(1, request.inFlight / 4)),
    idleMs: () => 50,
  },
  {
    name: 'cliff at 4: ten times as slow',
    cms: () => (request) => ok(request, request.inFlight > 4 ? 500 : 50),
    idleMs: () => 50,
  },
  {
    name: 'cliff at 4: 503',
    cms: () => (request) => (request.inFlight > 4 ? { status: 503, tookMs: 5 } : ok(request, 50)),
    idleMs: () => 50,
  },
  { name: 'pool of 2', cms: () => pool(2, 50), idleMs: () => 50 },
  {
    name: '5 % 5xx',
    cms: () => (request) => (request.random() < 0.05 ? { status: 503, tookMs: 50 } : ok(request, 50)),
    idleMs: () => 50,
  },
  { name: 'slow hour', ...unbounded((at) => (at > 20_000 && at < 100_000 ? 250 : 50)) },
  { name: 'two processes', ...unbounded(() => 50), processes: 2 },
  { name: 'two processes, pool of 2', cms: () => pool(2, 50), idleMs: () => 50, processes: 2 },
  { name: 'bursts', ...unbounded(() => 50), bursts: { requests: 100, everyMs: 5_000 } },
  { name: 'Retry-After above 50 a second', cms: () => limited(50, 20, 1_000), idleMs: () => 20 },
  { name: 'slow start', ...unbounded((at) => (at < 8_000 ? 500 : 50)) },
];

/** Response times of one CMS differ by a few percent. */
function ok({ random }: Arrival, ms: number): Reply {
  return { status: 200, tookMs: ms * (0.95 + random() * 0.1) };
}

/** Workers that take one request after the other. */
function pool(workers: number, ms: number): (request: Arrival) => Reply {
  const freeAt = Array.from({ length: workers }, () => 0);
  return (request) => {
    const next = freeAt.indexOf(Math.min(...freeAt));
    const endsAt = Math.max(request.at, freeAt[next] ?? 0) + ok(request, ms).tookMs;
    freeAt[next] = endsAt;
    return { status: 200, tookMs: endsAt - request.at };
  };
}

/** Refuses requests beyond so many in any second. */
function limited(perSecond: number, ms: number, retryAfterMs?: number): (request: Arrival) => Reply {
  let accepted: number[] = [];
  return (request) => {
    accepted = accepted.filter((at) => at > request.at - 1000);
    if (accepted.length >= perSecond) return { status: 429, tookMs: 2, retryAfterMs };
    accepted.push(request.at);
    return ok(request, ms);
  };
}
