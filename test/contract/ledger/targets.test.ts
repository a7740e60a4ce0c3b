import { describe, expect, test } from 'vitest';
import { thisMachine } from '../../../src/core/runtime/process-name.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';
import { setTargetClock } from '../../support/target-clock.ts';

// What all processes know of a destination, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('Targets on %s', (engine) => {
  const opened = withLedger(engine);
  const here = () => opened.ledger.targets;
  const there = () => opened.second.targets;
  const known = (state: object) => ({ permits: [], now: expect.closeTo(Date.now(), -5), ...state });

  test('A new target has no state', async () => {
    expect(await here().look('new')).toEqual(known({ epoch: 0 }));
  });

  test('A pause is seen by all processes, and counted once for all requests in flight', async () => {
    await here().pause('paused', 0, { forMs: 60_000, reason: 'unwell' });
    await there().pause('paused', 0, { forMs: 90_000, reason: 'unwell' });
    const state = await there().look('paused');
    expect(state).toMatchObject({ epoch: 1, pause: { reason: 'unwell', count: 1 } });
    expect(state.pause!.forMs).toBeLessThanOrEqual(60_000);
    expect(state.pause!.forMs).toBeGreaterThan(50_000);
  });

  test('The longest of several concurrent pauses counts', async () => {
    await here().pause('busy', 0, { forMs: 60_000, reason: 'busy' });
    await there().pause('busy', 0, { forMs: 120_000, reason: 'busy' });
    await there().pause('busy', 0, { forMs: 1_000, reason: 'busy' });
    const { pause } = await here().look('busy');
    expect(pause).toMatchObject({ count: 1 });
    expect(pause!.forMs).toBeGreaterThan(100_000);
  });

  test('A pause is over if the clock has gone back since, and a shorter one may follow it', async () => {
    await here().pause('turned', 0, { forMs: 2_000, reason: 'busy' });
    await setTargetClock(opened, 'turned', -600_000);
    expect((await there().look('turned')).pause).toEqual({ forMs: 0, reason: 'busy', count: 1 });
    await here().pause('turned', 1, { forMs: 1_000, reason: 'busy' });
    const { pause } = await there().look('turned');
    expect(pause!.forMs).toBeGreaterThan(0);
    expect(pause!.forMs).toBeLessThanOrEqual(1_000);
    await setTargetClock(opened, 'turned', 60_000);
    expect((await here().look('turned')).pause!.forMs).toBeLessThan(0);
  });

  test('One process probes until its lease ends, and its success reopens the target for all', async () => {
    await here().pause('probed', 0, { forMs: 0, reason: 'unwell' });
    const lease = { holder: 'elsewhere/1/a', leaseMs: 60_000 };
    expect(await here().probe('probed', 1, lease)).toBe(true);
    expect(await there().probe('probed', 1, lease)).toBe(false);
    await here().endProbe('probed', 1);
    expect(await there().probe('probed', 1, { ...lease, leaseMs: -1 })).toBe(true);
    // Of a process of this machine that is gone, as its id is in use by another one.
    expect(await here().probe('probed', 1, { ...lease, holder: `${thisMachine}/${process.pid}/gone` })).toBe(true);
    expect(await there().probe('probed', 1, lease)).toBe(true);
    expect(await here().probe('probed', 1, lease)).toBe(false);
    await here().resume('probed', 1);
    expect(await there().look('probed')).toEqual(known({ epoch: 2, resumedForMs: expect.any(Number) }));
  });

  test('A lease to probe ends if the clock has gone back since, as its holder may have exited', async () => {
    await here().pause('leased', 0, { forMs: 0, reason: 'unwell' });
    const lease = { holder: 'elsewhere/1/a', leaseMs: 60_000 };
    expect(await here().probe('leased', 1, lease)).toBe(true);
    await setTargetClock(opened, 'leased', 30_000);
    expect(await there().probe('leased', 1, lease)).toBe(false);
    await setTargetClock(opened, 'leased', -300_000);
    expect(await there().probe('leased', 1, lease)).toBe(true);
    expect(await here().probe('leased', 1, lease)).toBe(false);
  });

  test('Consecutive pauses are counted until one request succeeds', async () => {
    for (const epoch of [0, 1, 2]) await here().pause('again', epoch, { forMs: 0, reason: 'unwell' });
    expect(await there().look('again')).toMatchObject({ pause: { count: 3 } });
    await there().resume('again', 3);
    await here().pause('again', 4, { forMs: 0, reason: 'unwell' });
    expect(await there().look('again')).toMatchObject({ pause: { count: 1 } });
  });

  test('A pace is replaced only by a process that has seen the last one', async () => {
    const pace = { limit: 2, idleMs: { 'events.create': 20 }, idleFailures: 0, changedAt: 1 };
    expect(await here().replacePace('found', undefined, pace)).toBe(false);
    await here().replacePermits('found', [], []);
    expect(await here().replacePace('found', undefined, pace)).toBe(true);
    expect(await there().replacePace('found', undefined, { ...pace, limit: 8 })).toBe(false);
    expect(await there().look('found')).toMatchObject({ pace });
    expect(await there().replacePace('found', (await there().look('found')).pace, { ...pace, limit: 4 })).toBe(true);
    expect(await here().look('found')).toMatchObject({ pace: { ...pace, limit: 4 } });
  });

  test('A stop names its token and reason, and results of an earlier epoch change nothing', async () => {
    const stop = { credentials: 'abc', code: 'FF_CMS_UNAUTHORIZED', reason: 'No.' } as const;
    await here().stop('stopped', 0, stop);
    expect(await there().look('stopped')).toEqual(known({ epoch: 1, stop }));
    await there().stop('stopped', 0, { ...stop, credentials: 'other' });
    await there().resume('stopped', 0);
    expect(await here().look('stopped')).toEqual(known({ epoch: 1, stop }));
    await there().resume('stopped', 1);
    expect(await here().look('stopped')).not.toHaveProperty('stop');
  });

  test('Permits are seen by all processes, and replaced by one that has read them', async () => {
    const lease = { limit: 'inFlight', holder: 'elsewhere/1/a', until: 1 } as const;
    const [mine, yours] = [3, 5].map((granted) => [{ ...lease, granted }]);
    expect((await here().look('shared')).permits).toEqual([]);
    expect(await here().replacePermits('shared', [], mine!)).toBe(true);
    expect(await there().replacePermits('shared', [], yours!)).toBe(false);
    expect((await there().look('shared')).permits).toEqual(mine);
    expect(await there().replacePermits('shared', mine!, yours!)).toBe(true);
    expect((await here().look('shared')).permits).toEqual(yours);
    expect((await here().look('other')).permits).toEqual([]);
    await here().pause('shared', 0, { forMs: 0, reason: 'busy' });
    expect(await here().look('shared')).toMatchObject({ epoch: 1, permits: yours });
  });

  test('One of several processes that replace permits at the same time succeeds', async () => {
    const lease = { limit: 'inFlight', granted: 1, until: 1 } as const;
    for (const round of [1, 2, 3]) {
      const { permits } = await here().look('contested');
      const replaced = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((process) =>
          (process % 2 === 0 ? here() : there()).replacePermits('contested', permits, [
            { ...lease, holder: `elsewhere/${round}/${process}` },
          ]),
        ),
      );
      expect(replaced.filter(Boolean)).toHaveLength(1);
    }
  });
});
