import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { zeroCounts } from '../../../src/core/run.ts';
import { thisMachine } from '../../../src/core/runtime/process-name.ts';
import type { ClaimedAlert } from '../../../src/ledger/alerts/alerts.ts';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const HOUR = { everyMs: 3_600_000, leaseMs: 60_000 };
const ALWAYS = { everyMs: 0, leaseMs: 60_000 };
const cause = (run: string) => new Map([['partial', run] as const]);
const well = new Map<never, never>();

const brief = (alerts: ClaimedAlert[]) =>
  alerts.map(({ kind, isOver, pendingCount, sentCount }) => ({ kind, isOver, pendingCount, sentCount }));

describe.each(ledgerEngines.filter(hasEngine))('Alerts in the ledger: %s', (engine) => {
  const site = withLedger(engine);

  test('One cause is reported once, whichever process notes and claims it', async () => {
    const { alerts } = site.ledger;
    const other = site.second.alerts;
    await Promise.all([alerts.note('once', 'webhook', cause('r1')), other.note('once', 'webhook', cause('r1'))]);
    const claims = await Promise.all(
      [alerts, other, alerts, other].map((store) => store.claim('once', 'webhook', HOUR)),
    );
    const claimed = claims.flat();
    expect(brief(claimed)).toEqual([{ kind: 'partial', isOver: false, pendingCount: 1, sentCount: 0 }]);
    await alerts.markSent(claimed);
    await other.note('once', 'webhook', cause('r1'));
    expect(await other.claim('once', 'webhook', ALWAYS)).toEqual([]);
  });

  test('Further occurrences are counted, and reported when the time has passed', async () => {
    const { alerts } = site.ledger;
    await alerts.note('often', 'webhook', cause('r1'));
    await alerts.markSent(await alerts.claim('often', 'webhook', HOUR));
    for (const run of ['r2', 'r3', 'r4']) await alerts.note('often', 'webhook', cause(run));
    expect(await alerts.claim('often', 'webhook', HOUR)).toEqual([]);
    const later = await alerts.claim('often', 'webhook', ALWAYS);
    expect(brief(later)).toEqual([{ kind: 'partial', isOver: false, pendingCount: 3, sentCount: 1 }]);
    await alerts.note('often', 'webhook', cause('r5'));
    await alerts.markSent(later);
    expect(brief(await alerts.claim('often', 'webhook', ALWAYS))).toEqual([
      { kind: 'partial', isOver: false, pendingCount: 1, sentCount: 2 },
    ]);
  });

  test('A run with nothing new is no further occurrence, and what was reported is remembered while it lasts', async () => {
    const { alerts } = site.ledger;
    await alerts.note('known', 'webhook', cause('r1'));
    await alerts.markSent(await alerts.claim('known', 'webhook', HOUR), ['one', 'two']);
    expect(await alerts.lastNoted('known', 'webhook', 'partial')).toEqual({
      ...{ run: 'r1', isPending: false },
      reported: new Set(['one', 'two']),
    });
    await alerts.keepReported('known', 'webhook', 'partial', ['one']);
    await alerts.note('known', 'webhook', cause('r2'), new Set(['partial']));
    expect(await alerts.claim('known', 'webhook', ALWAYS)).toEqual([]);
    await alerts.note('known', 'webhook', cause('r3'));
    const [news] = await alerts.claim('known', 'webhook', ALWAYS);
    expect(news).toMatchObject({ run: 'r3', pendingCount: 1, sentCount: 1, reported: new Set(['one']) });
    // Another run has had what was reported, and no more.
    await alerts.note('known', 'webhook', cause('r4'), new Set(['partial']));
    await alerts.postpone(news ? [news] : [], 0);
    await alerts.note('known', 'webhook', cause('r4'), new Set(['partial']));
    expect(await alerts.claim('known', 'webhook', ALWAYS)).toEqual([]);
    await alerts.note('known', 'webhook', well);
    expect(await alerts.lastNoted('known', 'webhook', 'partial')).toMatchObject({ reported: new Set(['one']) });
    await alerts.markSent(await alerts.claim('known', 'webhook', ALWAYS));
    expect(await alerts.lastNoted('known', 'webhook', 'partial')).toMatchObject({ reported: new Set() });
  });

  test('Two causes at once are two alerts', async () => {
    const { alerts } = site.ledger;
    const causes = new Map([
      ['failed', 'r1'],
      ['stale', ''],
    ] as const);
    for (let looks = 0; looks < 2; looks += 1) await alerts.note('two', 'webhook', causes);
    const claimed = await alerts.claim('two', 'webhook', HOUR);
    expect(claimed.map(({ kind, pendingCount }) => `${kind} ${pendingCount}`).sort()).toEqual(['failed 1', 'stale 1']);
  });

  test('The end of each reported cause is reported once, and of no other', async () => {
    const { alerts } = site.ledger;
    await alerts.note('over', 'webhook', new Map([['failed', 'r1'] as const]));
    await alerts.markSent(await alerts.claim('over', 'webhook', HOUR));
    await alerts.note('over', 'webhook', cause('r2'));
    expect(brief(await alerts.claim('over', 'webhook', HOUR))).toEqual([
      { kind: 'partial', isOver: false, pendingCount: 1, sentCount: 0 },
    ]);
    await alerts.note('over', 'webhook', well);
    const over = await alerts.claim('over', 'webhook', HOUR);
    expect(brief(over)).toEqual([{ kind: 'failed', isOver: true, pendingCount: 0, sentCount: 1 }]);
    await alerts.markSent(over);
    expect(await alerts.claim('over', 'webhook', ALWAYS)).toEqual([]);
  });

  test('A cause that comes back within the time is not reported, and neither is its end', async () => {
    const { alerts } = site.ledger;
    await alerts.note('flaps', 'webhook', cause('r1'));
    await alerts.markSent(await alerts.claim('flaps', 'webhook', HOUR));
    await alerts.note('flaps', 'webhook', well);
    await alerts.markSent(await alerts.claim('flaps', 'webhook', HOUR));
    await alerts.note('flaps', 'webhook', cause('r2'));
    expect(await alerts.claim('flaps', 'webhook', HOUR)).toEqual([]);
    await alerts.note('flaps', 'webhook', well);
    expect(await alerts.claim('flaps', 'webhook', ALWAYS)).toEqual([]);
    await alerts.note('flaps', 'webhook', cause('r3'));
    expect(brief(await alerts.claim('flaps', 'webhook', ALWAYS))).toEqual([
      { kind: 'partial', isOver: false, pendingCount: 2, sentCount: 0 },
    ]);
  });

  test('A lapsed claim passes to others, and settles nothing afterwards', async () => {
    const { alerts } = site.ledger;
    await alerts.note('lapses', 'email', cause('r1'));
    const lost = await alerts.claim('lapses', 'email', { everyMs: 0, leaseMs: 1 });
    await sleep(5);
    const mine = await site.second.alerts.claim('lapses', 'email', ALWAYS);
    expect(brief(mine)).toEqual(brief(lost));
    await alerts.markSent(lost);
    await site.second.alerts.postpone(mine, 0);
    expect(await alerts.claim('lapses', 'email', ALWAYS)).toMatchObject([{ sentCount: 0, attempts: 1 }]);
  });

  test('An unsent alert waits, and the channels are independent', async () => {
    const { alerts } = site.ledger;
    for (const channel of ['webhook', 'email']) await alerts.note('two', channel, cause('r1'));
    await alerts.postpone(await alerts.claim('two', 'webhook', HOUR), 60_000);
    expect(await alerts.claim('two', 'webhook', ALWAYS)).toEqual([]);
    expect(await alerts.claim('two', 'email', ALWAYS)).toHaveLength(1);
  });

  test('A run whose process has exited is ended, but not while others deliver its records', async () => {
    const { runs, plans, records } = site.ledger;
    const { databaseUrl, dataDir } = site;
    const { db } = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
    const run = await runs.begin('left', 'run');
    const content = { desired: '{}', attachments: '[]', hash: 'h', changed: '[]' };
    await plans.add([{ run, key: 'a', op: 'create', place: 'line 1', resource: 'events', ...content }]);
    await plans.apply(run, 'left', {});
    await runs.endLeftAlone('left');
    expect(await runs.state(run)).toMatchObject({ isRunning: true });

    const gone = `${thisMachine}/999999999/none`;
    await db.updateTable('runs').set({ holder: gone }).where('id', '=', run).execute();
    await db.destroy();
    const claimed = await records.claim('left', ['a'], 60_000);
    await runs.endLeftAlone('left');
    expect(await runs.state(run)).toMatchObject({ isRunning: true });

    await records.release(claimed);
    await runs.endLeftAlone('left');
    expect(await runs.report(run)).toMatchObject({ status: 'failed', error: { code: 'FF_RUN_ABANDONED' } });
  });

  test('The health of a sync depends on the runs that ended by themselves', async () => {
    const { alerts, runs } = site.ledger;
    expect(await alerts.health('new')).toEqual({ now: expect.any(Number) });

    const good = await runs.begin('new', 'run');
    expect(await alerts.health('new')).toMatchObject({ firstAt: expect.any(Number) });
    const receipt = { complete: true } as never;
    await runs.record(good, { counts: { ...zeroCounts(), read: 7, unchanged: 7 }, receipt, warnings: [] });
    await runs.finish(good);
    await sleep(2);
    const bad = await runs.begin('new', 'run');
    await runs.finish(bad, { status: 'failed', code: 'FF_FEED_STATUS', message: '503' });
    await sleep(2);
    const interrupted = await runs.begin('new', 'run');
    await runs.finish(interrupted, { status: 'failed', code: 'FF_RUN_INTERRUPTED', message: 'stopped' });
    await runs.finish(await runs.begin('new', 'plan'));

    const { latest, good: lastGood, firstAt = 0, now } = await alerts.health('new');
    expect(latest).toMatchObject({ run: bad, status: 'failed', read: 0 });
    expect(lastGood?.run).toBe(good);
    expect(firstAt).toBeLessThanOrEqual(lastGood?.finishedAt ?? 0);
    expect(now).toBeGreaterThanOrEqual(latest?.finishedAt ?? Number.POSITIVE_INFINITY);
  });
});
