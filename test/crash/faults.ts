import type { FaultPlan } from '../support/cms/faults.ts';
import { LOOK_UP_AFTER_MS } from './place.ts';
import type { Lies, RoundPlan } from './plan.ts';

const RESOURCES = ['/api/v1/calendar/events', '/api/v1/account/accounts'];
/** Shorter than a request may take. */
const SLOWEST_CREATE_MS = 1_500;
const UPLOADS = '/api/v1/calendar/upload';

/** How often faults may strike uploads while one plan is in force: each strike may cost one more upload. */
export const STRIKES_ON_UPLOADS = 3;

const lies: Record<Lies, Array<{ kind: 'emptyList' } | { kind: 'lateItems'; ms: number; counted: boolean }>> = {
  none: [],
  emptyLists: [{ kind: 'emptyList' }],
  shortLists: [{ kind: 'lateItems', ms: 10_000, counted: true }],
  lateLists: [{ kind: 'lateItems', ms: LOOK_UP_AFTER_MS, counted: false }],
};

/** What goes wrong at the CMS all the time, with a burst of 429 first where `burst` is not 0. */
export function faultPlan(plan: Pick<RoundPlan, 'faultSeed' | 'lies'>, burst = 0): FaultPlan {
  const everywhere = { rate: 1 };
  const before = { when: 'before', rate: 0.1 } as const;
  const after = { when: 'after', rate: 0.05 } as const;
  const once = { path: UPLOADS, times: STRIKES_ON_UPLOADS / 3 };
  return {
    seed: plan.faultSeed,
    faults: [
      { kind: 'latency', ms: 10, jitterMs: 20, ...everywhere },
      ...(burst > 0 ? [{ kind: 'rateLimit', retryAfter: 1, times: burst, rate: 1 } as const] : []),
      ...RESOURCES.flatMap((path) => [
        { kind: 'error', status: 500, path, ...before } as const,
        { kind: 'reset', path, ...after } as const,
        { kind: 'latency', ms: 0, jitterMs: SLOWEST_CREATE_MS, method: 'POST', path, rate: 0.03 } as const,
        ...(plan.lies === 'lateLists' ? [] : answeredWithErrors(path)),
        ...lies[plan.lies].map((lie) => ({ ...lie, path, rate: 0.15 })),
        { kind: 'itemMissing', path, rate: 0.03 } as const,
      ]),
      { kind: 'error', status: 500, ...before, ...once },
      { kind: 'error', status: 500, ...after, ...once },
      { kind: 'reset', ...after, ...once },
    ],
  };
}

/** Creates that the CMS has applied. They are looked up at once, so that a list that is late would hide them. */
function answeredWithErrors(path: string): FaultPlan['faults'] {
  return [
    { kind: 'error', status: 500, when: 'after', path, rate: 0.05 },
    { kind: 'error', status: 408, when: 'after', method: 'POST', path, rate: 0.02 },
  ];
}

export const noFaults: FaultPlan = { seed: 1, faults: [] };
