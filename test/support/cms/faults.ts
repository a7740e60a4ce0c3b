import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const longestPauseMs = 600_000;

/** The routes of the API, as the counters show them. */
const routes = [
  '/calendar/events',
  '/calendar/events/:id',
  '/calendar/upload',
  '/account/accounts',
  '/account/accounts/:id',
] as const;

/** When a fault strikes: at a share of the requests, for some methods or paths only, or a limited number of times. */
const scope = {
  rate: z.number().min(0).max(1).default(1),
  method: z.string().toUpperCase().optional(),
  /** Exactly this route: lists without items, or items without lists. */
  route: z.enum(routes).optional(),
  /** Start of the request's path. */
  path: z.string().optional(),
  /** How many matching requests the fault spares before it strikes. */
  skip: z.int().min(1).optional(),
  /** How often the fault strikes at most. */
  times: z.int().min(1).optional(),
};

/** `before`: the request is not applied; `after`: the request is applied, but the client does not learn this. */
const when = z.enum(['before', 'after']).default('before');
const maintenancePage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Maintenance</title></head>
<body><h1>We will be back soon</h1><p>This site is down for maintenance.</p></body></html>
`;
const ms = z.number().min(0).max(longestPauseMs);

/** One fault, and when it strikes. */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('latency'), ms, jitterMs: ms.default(0), ...scope }),
  z.strictObject({ kind: z.literal('hold'), ...scope }),
  z.strictObject({ kind: z.literal('error'), status: z.int().min(300).max(599).default(500), when, ...scope }),
  z.strictObject({
    kind: z.literal('page'),
    status: z.int().min(200).max(599).default(503),
    html: z.string().default(maintenancePage),
    when,
    ...scope,
  }),
  z.strictObject({ kind: z.literal('reset'), when, ...scope }),
  z.strictObject({ kind: z.literal('rateLimit'), retryAfter: z.int().min(0).default(1), ...scope }),
  z.strictObject({ kind: z.literal('unauthorized'), ...scope }),
  z.strictObject({ kind: z.literal('slowBody'), ms, ...scope }),
  z.strictObject({ kind: z.literal('truncate'), bytes: z.int().min(1).optional(), ...scope }),
  z.strictObject({ kind: z.literal('emptyList'), ...scope }),
  z.strictObject({ kind: z.literal('itemMissing'), ...scope }),
  z.strictObject({ kind: z.literal('unapplied'), shows: z.enum(['before', 'sent']).default('before'), ...scope }),
  z.strictObject({ kind: z.literal('staleAnswer'), ...scope }),
  z.strictObject({ kind: z.literal('lateItems'), ms, counted: z.boolean().default(false), ...scope }),
]);

/** Body of PUT /_sandbox/faults. The same seed makes the same requests fail again. */
export const faultPlanSchema = z.strictObject({
  seed: z.int().default(1),
  faults: z.array(faultSchema).max(50).default([]),
});

export type Fault = z.output<typeof faultSchema>;

/** These strike all lists of a second, or none, so that reading a list twice does not help a client. */
const listFaults: ReadonlySet<Fault['kind']> = new Set(['emptyList', 'lateItems']);

export type FaultPlan = z.output<typeof faultPlanSchema>;

/** A plan in its written form, where values with a default may be left out. */
export type FaultPlanInput = z.input<typeof faultPlanSchema>;

/** The faults in force. */
export type Faults = ReturnType<typeof faultDice>;

/** Starts with a plan. Each drawing of faults moves the seeded dice on. */
export function faultDice(initial: FaultPlan, closing: AbortSignal) {
  let plan = initial;
  let random = seededDice(plan.seed);
  let requests = new Map<Fault, { spared: number; struck: number }>();
  let replaced = new AbortController();

  /** The same for all requests of a second. */
  function rollOfSecond(): number {
    return seededDice(plan.seed + Math.floor(Date.now() / 1000))();
  }

  function strikesNow(fault: Fault, request: Target): boolean {
    if (!isAimedAt(fault, request)) return false;
    const counts = requests.get(fault) ?? { spared: 0, struck: 0 };
    requests.set(fault, counts);
    if (counts.spared < (fault.skip ?? 0)) {
      counts.spared += 1;
      return false;
    }
    const roll = listFaults.has(fault.kind) ? rollOfSecond : random;
    if (counts.struck >= (fault.times ?? Number.POSITIVE_INFINITY) || roll() >= fault.rate) return false;
    counts.struck += 1;
    return true;
  }

  return {
    get plan() {
      return plan;
    },
    set(next: FaultPlan) {
      plan = next;
      random = seededDice(next.seed);
      requests = new Map();
      replaced.abort();
      replaced = new AbortController();
    },
    /** Returns the faults that strike a request. */
    draw: (request: Target) => plan.faults.filter((fault) => strikesNow(fault, request)),
    /** Waits as long as a latency fault says; ends early when the sandbox closes. */
    latency: (fault: Fault & { kind: 'latency' }) => wait(fault.ms + random() * fault.jitterMs, closing),
    /** Waits until other faults are set, or the sandbox closes. */
    hold: () => wait(longestPauseMs, AbortSignal.any([replaced.signal, closing])),
  };
}

interface Target {
  method: string;
  path: string;
  /** Route below /api/v1; absent for an unknown path. */
  route: string | undefined;
}

function isAimedAt(fault: Fault, { method, path, route }: Target): boolean {
  if (fault.method !== undefined && fault.method !== method) return false;
  if (fault.route !== undefined && fault.route !== route) return false;
  return fault.path === undefined || path.startsWith(fault.path);
}

/** Yields the whole body, in pieces spread over a time. */
export async function* slowly(body: Buffer, totalMs: number, closing: AbortSignal): AsyncGenerator<Buffer> {
  const pieces = Math.min(10, body.length);
  const size = Math.ceil(body.length / pieces);
  for (let at = 0; at < body.length; at += size) {
    await wait(totalMs / pieces, closing);
    yield body.subarray(at, at + size);
  }
}

/** Yields the first bytes of the body, half of it by default; then throws, and this breaks the connection. */
export async function* truncated(body: Buffer, bytes = Math.ceil(body.length / 2)): AsyncGenerator<Buffer> {
  yield body.subarray(0, Math.min(bytes, body.length - 1));
  // Lets the bytes leave before the connection breaks.
  await new Promise(setImmediate);
  throw new Error('Truncated by a fault.');
}

async function wait(forMs: number, closing: AbortSignal): Promise<void> {
  await pause(forMs, undefined, { signal: closing }).catch(() => undefined);
}

/** Repeatable numbers in 0..1: the digests of seed and turn. */
function seededDice(seed: number): () => number {
  let turn = 0;
  return () => {
    turn += 1;
    return hash('sha256', `${seed}:${turn}`, 'buffer').readUInt32BE(0) / 2 ** 32;
  };
}
