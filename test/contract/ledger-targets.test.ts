import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { hasEngine, ledgerEngines } from '../support/engines.ts';
import { withLedger } from '../support/ledger.ts';

// What all processes know of a destination, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('destinations on %s', (engine) => {
  const opened = withLedger(engine);
  const here = () => opened.ledger.targets;
  const there = () => opened.second.targets;

  test('nothing is known of a destination at first', async () => {
    expect(await here().look('new')).toEqual({ epoch: 0 });
  });

  test('a pause is seen by all, and counted once for all requests that were under way', async () => {
    await here().pause('paused', 0, { forMs: 60_000, reason: 'unwell' });
    await there().pause('paused', 0, { forMs: 90_000, reason: 'unwell' });
    const state = await there().look('paused');
    expect(state).toMatchObject({ epoch: 1, pause: { reason: 'unwell', count: 1 } });
    expect(state.pause!.forMs).toBeLessThanOrEqual(60_000);
    expect(state.pause!.forMs).toBeGreaterThan(50_000);
  });

  test('of pauses that were asked for at about the same time the longest counts', async () => {
    await here().pause('busy', 0, { forMs: 60_000, reason: 'busy' });
    await there().pause('busy', 0, { forMs: 120_000, reason: 'busy' });
    await there().pause('busy', 0, { forMs: 1_000, reason: 'busy' });
    const { pause } = await here().look('busy');
    expect(pause).toMatchObject({ count: 1 });
    expect(pause!.forMs).toBeGreaterThan(100_000);
  });

  test('one process probes, until its lease ends; then the destination is well again for all', async () => {
    await here().pause('probed', 0, { forMs: 0, reason: 'unwell' });
    const lease = { holder: 'elsewhere/1/a', leaseMs: 60_000 };
    expect(await here().probe('probed', 1, lease)).toBe(true);
    expect(await there().probe('probed', 1, lease)).toBe(false);
    await here().endProbe('probed', 1);
    expect(await there().probe('probed', 1, { ...lease, leaseMs: -1 })).toBe(true);
    // Of a process of this machine that is gone, as its id is in use by another one.
    expect(await here().probe('probed', 1, { ...lease, holder: `${hostname()}/${process.pid}/gone` })).toBe(true);
    expect(await there().probe('probed', 1, lease)).toBe(true);
    expect(await here().probe('probed', 1, lease)).toBe(false);
    await here().resume('probed', 1);
    expect(await there().look('probed')).toEqual({ epoch: 2, resumedForMs: expect.any(Number) });
  });

  test('pauses in a row are counted, until one request succeeds', async () => {
    for (const epoch of [0, 1, 2]) await here().pause('again', epoch, { forMs: 0, reason: 'unwell' });
    expect(await there().look('again')).toMatchObject({ pause: { count: 3 } });
    await there().resume('again', 3);
    await here().pause('again', 4, { forMs: 0, reason: 'unwell' });
    expect(await there().look('again')).toMatchObject({ pause: { count: 1 } });
  });

  test('a stop tells whom it is for and why; news of an earlier epoch changes nothing', async () => {
    const stop = { credentials: 'abc', code: 'FF_CMS_UNAUTHORIZED', reason: 'No.' } as const;
    await here().stop('stopped', 0, stop);
    expect(await there().look('stopped')).toEqual({ epoch: 1, stop });
    await there().stop('stopped', 0, { ...stop, credentials: 'other' });
    await there().resume('stopped', 0);
    expect(await here().look('stopped')).toEqual({ epoch: 1, stop });
    await there().resume('stopped', 1);
    expect(await here().look('stopped')).not.toHaveProperty('stop');
  });

  test('slots are handed out one interval apart, to all processes', async () => {
    const waits: number[] = [];
    const startedAt = Date.now();
    for (const each of [here(), there(), here(), there(), here()]) waits.push(await each.reserve('site', 200));
    const elapsed = Date.now() - startedAt;
    expect(waits[0]).toBe(0);
    expect(waits[4]).toBeLessThanOrEqual(800);
    expect(waits[4]).toBeGreaterThanOrEqual(790 - elapsed);
    expect(await here().reserve('other site', 200)).toBe(0);
  });

  test('permits of a process that is gone fall to the others, once its lease lapses', async () => {
    const request = { inUse: 0, wanted: 8, total: 8, leaseMs: 60_000 };
    const [{ permits }, { permits: others }] = [opened.ledger, opened.second];
    expect(await permits.balance('shared', { ...request, holder: 'elsewhere/1/a', leaseMs: -1 })).toBe(8);
    expect(await others.balance('shared', { ...request, holder: 'elsewhere/2/b' })).toBe(8);
    expect(await permits.balance('shared', { ...request, holder: 'elsewhere/3/c' })).toBe(0);
    await others.release('shared', 'elsewhere/2/b');
    expect(await permits.balance('shared', { ...request, holder: 'elsewhere/3/c' })).toBe(8);
  });

  test('a process in the background has what the others leave, wherever they are', async () => {
    const request = { inUse: 0, wanted: 8, total: 8, leaseMs: 60_000 };
    const late = { ...request, holder: 'elsewhere/1/late', background: true };
    const [{ permits }, { permits: others }] = [opened.ledger, opened.second];
    expect(await permits.balance('ranked', late)).toBe(8);
    expect(await others.balance('ranked', { ...request, wanted: 5, holder: 'elsewhere/2/b' })).toBe(0);
    expect(await permits.balance('ranked', late)).toBe(3);
    expect(await others.balance('ranked', { ...request, wanted: 20, holder: 'elsewhere/2/b' })).toBe(5);
    expect(await permits.balance('ranked', late)).toBe(1);
    expect(await others.balance('ranked', { ...request, wanted: 20, holder: 'elsewhere/2/b' })).toBe(7);
  });

  test('however many balance at once, never more than the total is granted', async () => {
    const holders = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `elsewhere/1/${name}`);
    const granted = await Promise.all(
      holders.map((holder, index) =>
        (index % 2 === 0 ? opened.ledger : opened.second).permits.balance('contested', {
          holder,
          inUse: 0,
          wanted: 5,
          total: 7,
          leaseMs: 60_000,
        }),
      ),
    );
    expect(granted.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(7);
    expect(Math.max(...granted)).toBeGreaterThan(0);
  });
});
