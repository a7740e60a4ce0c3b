import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const MINUTE_MS = 60_000;

describe.each(ledgerEngines.filter(hasEngine))('Visits in a ledger on %s', (engine) => {
  const opened = withLedger(engine);

  test('begin with the first page after a time of quiet, in whatever process', async () => {
    const { ledger, second, dataDir, databaseUrl } = opened;
    const { db } = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
    const seen = async () => Number((await db.selectFrom('visits').select('seen_at').executeTakeFirst())?.seen_at);
    const pass = async (minutes: number) => {
      const earlier = (await seen()) - minutes * MINUTE_MS;
      await db.updateTable('visits').set({ seen_at: earlier }).execute();
      return new Date(earlier).toISOString();
    };
    expect(await ledger.visits.lastVisit('Ann')).toBeUndefined();
    await ledger.visits.visit('Ann');
    expect(await second.visits.lastVisit('Ann')).toBeUndefined();
    const end = await pass(40);
    await second.visits.visit('Ann');
    await ledger.visits.visit('Ann');
    expect(await ledger.visits.lastVisit('Ann')).toBe(end);
    // Pages of the same visit: the first is soon enough not to be written, the second keeps the visit going.
    await pass(3);
    const before = await seen();
    await ledger.visits.visit('Ann');
    expect(await seen()).toBe(before);
    await pass(10);
    await second.visits.visit('Ann');
    expect(await seen()).toBeGreaterThan(before);
    expect(await second.visits.lastVisit('Ann')).toBe(end);
    const kept = { runsMs: 20 * MINUTE_MS, rejectsMs: 1e12, filesMs: 1e12, beforeImagesMs: 1e12 };
    expect(await ledger.retention.run(kept, new AbortController().signal)).toBe(0);
    await pass(40);
    expect(await ledger.retention.run(kept, new AbortController().signal)).toBe(1);
    await db.destroy();
  });
});
