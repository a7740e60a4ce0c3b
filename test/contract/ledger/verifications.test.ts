import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { VerifiedRecord } from '../../../src/ledger/verifications/verified-records.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

// What every ledger remembers for verifications, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('Verifications in a ledger on %s', (engine) => {
  const opened = withLedger(engine);

  const difference = { key: 'a', cmsId: 7, cause: 'edited', attributes: ['title'] };
  const edited = {
    ...{ sync: 'talks', isCertain: true, summary: '2 edited', result: { proven: true } },
    differences: [difference, { ...difference, key: 'b', liveHash: 'h' }],
  };

  async function recordOf(sync: string): Promise<VerifiedRecord | undefined> {
    const records: VerifiedRecord[] = [];
    for await (const page of opened.ledger.verifications.recordsOf(sync)) records.push(...page);
    return records[0];
  }

  test('The last verification, what it has found, and when the next one is due', async () => {
    const { verifications } = opened.ledger;
    expect((await verifications.verified()).get('talks')?.agoMs).toBeUndefined();
    const beganAt = await verifications.beginVerification('talks');
    expect(Math.abs(beganAt - Date.now())).toBeLessThan(60_000);
    expect((await verifications.verified()).get('talks')?.agoMs).toBeLessThan(60_000);
    await verifications.finishVerification(edited);
    const found = { sync: 'talks', differences: 2, summary: '2 edited' };
    expect(await verifications.drifts()).toEqual([{ id: expect.any(String), ...found }]);
    const { drift } = await opened.ledger.alerts.health('talks');
    expect(drift).toMatchObject({ summary: '2 edited' });

    // One that has not ended changes nothing; the same differences are news.
    await verifications.beginVerification('talks');
    expect((await opened.ledger.alerts.health('talks')).drift).toEqual(drift);
    await verifications.finishVerification(edited);
    expect((await opened.ledger.alerts.health('talks')).drift?.id).not.toBe(drift?.id);
    await verifications.finishVerification({ ...edited, differences: [], summary: '' });
    expect(await verifications.drifts()).toEqual([]);
    expect(await opened.ledger.alerts.health('talks')).not.toHaveProperty('drift');

    await verifications.failVerification('talks', 3_600_000);
    expect((await verifications.verified()).get('talks')?.agoMs).toBeGreaterThanOrEqual(3_600_000);
  });

  test('A record from its plan to its delivery, with what the CMS made of it', async () => {
    const { runs, plans, records, verifications } = opened.ledger;
    const run = await runs.begin('tours', 'run');
    const row = { run, key: 'a', op: 'create', place: 'line 1', resource: 'events', attachments: '[]' } as const;
    await plans.add([{ ...row, changed: '[]', desired: '{"title":"A & B"}', hash: 'h' }]);
    await plans.apply(run, 'tours');
    expect(await recordOf('tours')).toMatchObject({ key: 'a', cmsId: null, isUndelivered: true, isUnderWay: true });
    const [claimed] = await records.claim('tours', ['a'], 60_000);
    const beganAt = await verifications.beginVerification('tours');
    await sleep(2);
    const delivered = { is: 'created', cmsId: 7, delivered: { title: 'A & B' }, deliveredAttachments: {} } as const;
    await records.settle(claimed!, { ...delivered, madeByCms: { title: 'A &amp; B' } });
    await runs.finish(run);
    const settled = await recordOf('tours');
    expect(settled).toMatchObject({ cmsId: 7, isUndelivered: false, isUnderWay: false, lacksFiles: false });
    expect(settled?.madeByCms).toEqual({ title: 'A &amp; B' });
    expect(settled?.settledAt).toBeGreaterThan(beganAt);
    expect(await verifications.ownersOf('events', [6, 7])).toEqual([settled]);
    expect(await verifications.ownersOf('accounts', [7])).toEqual([]);

    // The clock is set back: what was delivered before must not look as if it were delivered now.
    const { dataDir, databaseUrl } = opened;
    const { db } = await openDatabase({ dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
    onTestFinished(() => db.destroy());
    await db
      .updateTable('attempts')
      .set(({ eb }) => ({ settled_at: eb('settled_at', '+', 3_600_000) }))
      .execute();
    expect(await recordOf('tours')).toMatchObject({ settledAt: 0 });
  });
});
