import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const longestPauseMs = 600_000;

/** When a fault strikes: at a share of the requests, of some methods or paths only, or so many times only. */
const scope = {
  rate: z.number().min(0).max(1).default(1),
  method: z.string().toUpperCase().optional(),
  /** Start of the request's path. */
  path: z.string().optional(),
  /** How often it strikes at most. */
  times: z.int().min(1).optional(),
};

/** `before`: nothing is done; `after`: the request is applied and the client does not learn it. */
const when = z.enum(['before', 'after']).default('before');
const ms = z.number().min(0).max(longestPauseMs);

/** One fault, and when it strikes. */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('latency'), ms, jitterMs: ms.default(0), ...scope }),
  z.strictObject({ kind: z.literal('error'), status: z.int().min(300).max(599).default(500), when, ...scope }),
  z.strictObject({ kind: z.literal('reset'), when, ...scope }),
  z.strictObject({ kind: z.literal('rateLimit'), retryAfter: z.int().min(0).default(1), ...scope }),
  z.strictObject({ kind: z.literal('unauthorized'), ...scope }),
  z.strictObject({ kind: z.literal('slowBody'), ms, ...scope }),
  z.strictObject({ kind: z.literal('truncate'), ...scope }),
  z.strictObject({ kind: z.literal('emptyList'), ...scope }),
  z.strictObject({ kind: z.literal('itemMissing'), ...scope }),
  z.strictObject({ kind: z.literal('lateItems'), ms, counted: z.boolean().default(false), ...scope }),
]);

/** Body of PUT /_sandbox/faults. The same seed makes the same requests fail again. */
export const faultPlanSchema = z.strictObject({
  seed: z.int().default(1),
  faults: z.array(faultSchema).max(50).default([]),
});

export type Fault = z.output<typeof faultSchema>;

/** All lists of a second lie, or none: a client that reads one twice is not helped. */
const listFaults: ReadonlySet<Fault['kind']> = new Set(['emptyList', 'lateItems']);

export type FaultPlan = z.output<typeof faultPlanSchema>;

/** The faults in force. */
export type Faults = ReturnType<typeof faultDice>;

/** Starts with a plan. Each drawing of faults moves the seeded dice on. */
export function faultDice(initial: FaultPlan, closing: AbortSignal) {
  let plan = initial;
  let random = seededDice(plan.seed);
  let strikes = new Map<Fault, number>();

  /** The same for all requests of a second. */
  function rollOfSecond(): number {
    return seededDice(plan.seed + Math.floor(Date.now() / 1000))();
  }

  function strikesNow(fault: Fault, method: string, path: string): boolean {
    if (fault.method !== undefined && fault.method !== method) return false;
    if (fault.path !== undefined && !path.startsWith(fault.path)) return false;
    const struck = strikes.get(fault) ?? 0;
    const roll = listFaults.has(fault.kind) ? rollOfSecond : random;
    if (struck >= (fault.times ?? Number.POSITIVE_INFINITY) || roll() >= fault.rate) return false;
    strikes.set(fault, struck + 1);
    return true;
  }

  return {
    get plan() {
      return plan;
    },
    set(next: FaultPlan) {
      plan = next;
      random = seededDice(next.seed);
      strikes = new Map();
    },
    /** Returns the faults that strike a request. */
    draw: (method: string, path: string) => plan.faults.filter((fault) => strikesNow(fault, method, path)),
    /** Waits as long as a latency fault says; ends early when the sandbox closes. */
    latency: (fault: Fault & { kind: 'latency' }) => wait(fault.ms + random() * fault.jitterMs, closing),
  };
}

/** The whole body, in pieces spread over the time given. */
export async function* slowly(body: Buffer, totalMs: number, closing: AbortSignal): AsyncGenerator<Buffer> {
  const pieces = Math.min(10, body.length);
  const size = Math.ceil(body.length / pieces);
  for (let at = 0; at < body.length; at += size) {
    await wait(totalMs / pieces, closing);
    yield body.subarray(at, at + size);
  }
}

/** Half of the body; then the connection breaks, as the error ends the stream. */
export async function* truncated(body: Buffer): AsyncGenerator<Buffer> {
  yield body.subarray(0, Math.ceil(body.length / 2));
  // Lets the half leave before the connection breaks.
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
