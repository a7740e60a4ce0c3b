import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FeedReceipt } from '../../../src/core/feed.ts';
import type { RunWork } from '../../../src/core/run.ts';
import { type RunCounts, zeroCounts } from '../../../src/core/run.ts';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const whole: FeedReceipt = {
  location: 'https://feeds.example.edu/a.csv',
  status: 200,
  bytes: 100,
  sha256: 'abc',
  etag: '"1"',
  lastModified: 'Sat, 01 Jan 2022 00:00:00 GMT',
  durationMs: 5,
  complete: true,
};

describe.each(ledgerEngines.filter(hasEngine))('Unchanged feeds, on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;

  beforeAll(() => {
    ledger = opened.ledger;
  });

  /** Runs of one millisecond have no order, and this test may be as fast as that. */
  async function begin(...run: Parameters<Ledger['runs']['begin']>): Promise<string> {
    for (const now = Date.now(); Date.now() === now; ) await setImmediate();
    return ledger.runs.begin(...run);
  }

  async function runOnce(
    sync: string,
    receipt: FeedReceipt,
    counts: Partial<RunCounts> = {},
    kind: RunWork = 'run',
  ): Promise<string> {
    const run = await begin(sync, kind);
    await ledger.runs.record(run, { counts: { ...zeroCounts(), ...counts }, receipt, warnings: [], fingerprint: 'f1' });
    return run;
  }

  test('A run that delivered everything provides its validators for the same fingerprint', async () => {
    const run = await runOnce('whole', whole, { read: 2, unchanged: 1, rejected: 1 });
    expect(await ledger.runs.lastRead('whole', 'f1')).toBeUndefined();
    await ledger.runs.finish(run);
    const validators = { etag: whole.etag, lastModified: whole.lastModified };
    expect(await ledger.runs.lastRead('whole', 'f1')).toEqual({ run, validators });
    expect(await ledger.runs.lastRead('whole', 'f2')).toBeUndefined();
    expect(await ledger.runs.lastRead('another', 'f1')).toBeUndefined();
  });

  test('A file is known by its hash, unless there were several files or pages', async () => {
    const { etag, lastModified, status, ...file } = whole;
    const run = await runOnce('file', file);
    await ledger.runs.finish(run);
    expect(await ledger.runs.lastRead('file', 'f1')).toEqual({ run, validators: { sha256: file.sha256 } });
    for (const several of [{ files: 2 }, { isPaged: true }]) {
      await ledger.runs.finish(await runOnce('file', { ...file, ...several }));
      expect(await ledger.runs.lastRead('file', 'f1')).toBeUndefined();
    }
  });

  test('After the clock has gone back, the last run is unknown', async () => {
    const run = await runOnce('later', whole);
    await ledger.runs.finish(run);
    const { dataDir, databaseUrl } = opened;
    const { db } = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
    const inAnHour = Date.now() + 3_600_000;
    await db.updateTable('runs').set({ started_at: inAnHour, finished_at: inAnHour }).where('id', '=', run).execute();
    await db.destroy();
    expect(await ledger.runs.lastRead('later', 'f1')).toBeUndefined();
    expect(await ledger.runs.lastBegun('later')).toBeUndefined();
    const next = await runOnce('later', whole);
    expect(await ledger.runs.lastBegun('later')).toMatchObject({ run: next });
  });

  test('A plan in between keeps the validators', async () => {
    const run = await runOnce('planned', whole);
    await ledger.runs.finish(run);
    await begin('planned', 'plan');
    expect(await ledger.runs.lastRead('planned', 'f1')).toMatchObject({ run });
  });

  test.each(['undo', 'purge'] as const)('The feed is read again after %s in between', async (kind) => {
    await ledger.runs.finish(await runOnce(kind, whole));
    await ledger.runs.finish(await begin(kind, kind));
    expect(await ledger.runs.lastRead(kind, 'f1')).toBeUndefined();
  });

  test.each<[string, Partial<FeedReceipt>, Partial<RunCounts>]>([
    ['an incomplete read', { complete: false, reason: 'cut' }, {}],
    ['no validators', { etag: undefined, lastModified: undefined }, {}],
    ['a failed record', {}, { failed: 1 }],
    ['a held record', {}, { held: 1 }],
  ])('No validators are provided after %s', async (name, receipt, counts) => {
    const run = await runOnce(name, { ...whole, ...receipt }, counts);
    await ledger.runs.finish(run);
    expect(await ledger.runs.lastRead(name, 'f1')).toBeUndefined();
  });

  test.each(['failed', 'held'] as const)(
    'No validators are provided after a %s run, although the one before succeeded',
    async (status) => {
      await ledger.runs.finish(await runOnce(status, whole));
      const run = await begin(status, 'run');
      await ledger.runs.finish(run, { status, code: 'FF_GUARD_EMPTY', message: 'empty' });
      expect(await ledger.runs.lastRead(status, 'f1')).toBeUndefined();
    },
  );

  test('No validators are provided after a backfill', async () => {
    await ledger.runs.finish(await runOnce('backfilled', whole));
    expect(await ledger.runs.lastRead('backfilled', 'f1')).toBeDefined();
    await ledger.runs.finish(await runOnce('backfilled', whole, {}, 'backfill'));
    expect(await ledger.runs.lastRead('backfilled', 'f1')).toBeUndefined();
    await ledger.runs.finish(await runOnce('backfilled', whole));
    expect(await ledger.runs.lastRead('backfilled', 'f1')).toBeDefined();
  });

  test('A repeated run reports the findings of the earlier one, and can be repeated itself', async () => {
    const counts = { read: 7, created: 1, updated: 1, unchanged: 2, rejected: 2, skipped: 1, missing: 3, uploaded: 4 };
    const first = await runOnce('repeated', whole, counts);
    const rejections = [
      { at: 'line 2', code: 'FF_RECORD_KEY' as const, reason: 'none' },
      { at: 'line 3', code: 'FF_RECORD_DATE' as const, reason: 'bad', key: 'k' },
    ];
    await ledger.runs.addRejections(first, 0, rejections);
    await ledger.runs.finish(first);

    for (const earlier of [first, undefined]) {
      const last = await ledger.runs.lastRead('repeated', 'f1');
      if (earlier) expect(last?.run).toBe(earlier);
      const run = await begin('repeated', 'run');
      await ledger.runs.repeat(run, last?.run ?? '', { durationMs: 9 });
      await ledger.runs.finish(run);
      expect(await ledger.runs.report(run)).toMatchObject({
        status: 'partial',
        complete: true,
        counts: { ...zeroCounts(), read: 7, unchanged: 4, rejected: 2, skipped: 1, missing: 3 },
        receipt: { ...whole, status: 304, bytes: 0, durationMs: 9 },
        rejections,
      });
    }
  });
});
