import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { CrashingSandbox } from '../crash/servers/sandbox.ts';
import type { FaultPlan } from '../support/cms/faults.ts';
import type { Edit, SoakFeed } from './feed.ts';

const STEP_MS = 1_000;
const calmEdit: Edit = { changed: [], flipped: [], trouble: 'none' };

const edits: fc.Arbitrary<Edit> = fc.record({
  changed: fc.array(fc.nat(10_000), { maxLength: 6 }),
  flipped: fc.array(fc.nat(10_000), { maxLength: 3 }),
  trouble: fc.oneof(
    { weight: 12, arbitrary: fc.constant('none' as const) },
    fc.constantFrom('web page' as const, 'empty' as const, 'cut off' as const, 'unavailable' as const),
  ),
});

/** What happens in a second: an edit of each feed or none, and now and then a burst of 429. */
function drawStep(feeds: number, seed: number): { edits: Array<Edit | null>; burst: number } {
  const step = fc.record({
    edits: fc.array(fc.option(edits, { freq: 2 }), { minLength: feeds, maxLength: feeds }),
    burst: fc.oneof({ weight: 30, arbitrary: fc.constant(0) }, fc.integer({ min: 5, max: 20 })),
  });
  return fc.sample(fc.noBias(step), { seed, numRuns: 1 })[0]!;
}

/** Changes the feeds and troubles the CMS for so long; then the feeds are whole and the CMS is well. */
export async function unrest(
  feeds: readonly SoakFeed[],
  sandbox: CrashingSandbox,
  { seed, ms }: { seed: number; ms: number },
): Promise<void> {
  const end = performance.now() + ms;
  await sandbox.setFaults(faultsOf(seed, 0));
  for (let step = 1; performance.now() < end; step++) {
    const drawn = drawStep(feeds.length, seed + step);
    for (const [index, edit] of drawn.edits.entries()) if (edit) feeds[index]?.edit(edit);
    if (drawn.burst > 0) await sandbox.setFaults(faultsOf(seed + step, drawn.burst));
    await sleep(STEP_MS);
  }
  for (const feed of feeds) feed.edit(calmEdit);
  await sandbox.setFaults({ seed: 1, faults: [] });
}

/** A CMS on its bad days: slow, with a few per cent of answers that go wrong, before and after it has applied a write. */
function faultsOf(seed: number, burst: number): FaultPlan {
  return {
    seed,
    faults: [
      { kind: 'latency', ms: 10, jitterMs: 40, rate: 1 },
      ...(burst > 0 ? [{ kind: 'rateLimit', retryAfter: 1, times: burst, rate: 1 } as const] : []),
      { kind: 'error', status: 503, when: 'before', rate: 0.02 },
      { kind: 'error', status: 500, when: 'after', rate: 0.01 },
      { kind: 'reset', when: 'before', rate: 0.01 },
      { kind: 'reset', when: 'after', rate: 0.01 },
      { kind: 'slowBody', ms: 500, rate: 0.01 },
      { kind: 'truncate', rate: 0.005 },
    ],
  };
}
