import type { FaultPlan } from '../../src/sandbox/faults.ts';

const RESOURCES = ['/api/v1/calendar/events', '/api/v1/account/accounts'];
const UPLOADS = '/api/v1/calendar/upload';

/** How often faults may strike uploads while one plan is in force: each strike may cost one more upload. */
export const STRIKES_ON_UPLOADS = 3;

/** What goes wrong at the CMS all the time, with a burst of 429 first where `burst` is not 0. */
export function faultPlan(seed: number, burst = 0): FaultPlan {
  const everywhere = { rate: 1 };
  const before = { when: 'before', rate: 0.1 } as const;
  const after = { when: 'after', rate: 0.05 } as const;
  const once = { path: UPLOADS, times: STRIKES_ON_UPLOADS / 3 };
  return {
    seed,
    faults: [
      { kind: 'latency', ms: 10, jitterMs: 20, ...everywhere },
      ...(burst > 0 ? [{ kind: 'rateLimit', retryAfter: 1, times: burst, rate: 1 } as const] : []),
      ...RESOURCES.flatMap((path) => [
        { kind: 'error', status: 500, path, ...before } as const,
        { kind: 'error', status: 500, path, ...after } as const,
        { kind: 'reset', path, ...after } as const,
        { kind: 'error', status: 408, when: 'after', method: 'POST', path, rate: 0.02 } as const,
        { kind: 'latency', ms: 0, jitterMs: 2_500, method: 'POST', path, rate: 0.03 } as const,
        { kind: 'emptyList', path, rate: 0.1 } as const,
        { kind: 'itemMissing', path, rate: 0.03 } as const,
      ]),
      { kind: 'error', status: 500, ...before, ...once },
      { kind: 'error', status: 500, ...after, ...once },
      { kind: 'reset', ...after, ...once },
    ],
  };
}

export const noFaults: FaultPlan = { seed: 1, faults: [] };
