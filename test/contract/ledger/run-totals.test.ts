import { beforeAll, describe, expect, test } from 'vitest';
import { zeroCounts } from '../../../src/core/run.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

// What every ledger adds up over runs, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('Run totals of a ledger on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;

  beforeAll(() => {
    ledger = opened.ledger;
  });

  async function ended(sync: string, kind: 'run' | 'retry' | 'plan', counts: object): Promise<string> {
    const run = await ledger.runs.begin(sync, kind);
    const receipt = { complete: true } as never;
    await ledger.runs.record(run, { counts: { ...zeroCounts(), ...counts }, receipt, warnings: [] });
    await ledger.runs.finish(run);
    return run;
  }

  async function runTotals(sync: string) {
    const all = await opened.second.runs.totals();
    return all.filter((tally) => tally.sync === sync).sort((a, b) => (a.status < b.status ? -1 : 1));
  }

  test('Runs with the same end are added up once, whichever process ended them', async () => {
    await ended('sums', 'run', { read: 3, unchanged: 3 });
    await ended('sums', 'run', { read: 4, unchanged: 2, skipped: 2 });
    const run = await ended('sums', 'run', { read: 2, unchanged: 1, rejected: 1 });
    expect(await opened.second.runs.finish(run)).toBe(false);

    expect(await runTotals('sums')).toEqual([
      // A rejected record is wrong in the feed: the run counts as a success.
      expect.objectContaining({ kind: 'run', status: 'partial', runs: 1, successAgoMs: expect.any(Number) }),
      {
        sync: 'sums',
        kind: 'run',
        status: 'success',
        runs: 2,
        durationMs: expect.any(Number),
        agoMs: expect.any(Number),
        successAgoMs: expect.any(Number),
        counts: { ...zeroCounts(), read: 7, unchanged: 5, skipped: 2 },
      },
    ]);
  });

  test('Retries are counted separately, and plans are not counted', async () => {
    await ended('kinds', 'retry', { read: 1, unchanged: 1 });
    await ended('kinds', 'plan', { read: 1, unchanged: 1 });
    expect((await runTotals('kinds')).map(({ kind, runs }) => [kind, runs])).toEqual([['retry', 1]]);
  });

  test('The age of a run follows the clock of the database', async () => {
    await ended('age', 'run', {});
    const agoMs = async () => (await runTotals('age'))[0]?.agoMs;
    await expect.poll(agoMs).toBeGreaterThan(400);
    await ended('age', 'run', {});
    expect(await agoMs()).toBeLessThan(400);
  });

  test('The newest runs come first, and the active runs of all syncs are listed', async () => {
    const first = await ended('list', 'run', {});
    const other = await ended('other', 'run', {});
    const second = await ledger.runs.begin('list', 'retry');
    const newest = await ledger.runs.newest({ sync: 'list', limit: 5 });
    expect(newest.map(({ run }) => run).sort()).toEqual([first, second].sort());
    expect(await ledger.runs.newest({ sync: 'list', limit: 1 })).toHaveLength(1);
    expect((await ledger.runs.newest({ limit: 500 })).map(({ run }) => run)).toContain(other);
    expect(await opened.second.runs.underWay()).toEqual([{ run: second, sync: 'list', kind: 'retry' }]);
    await ledger.runs.finish(second);
    expect(await ledger.runs.underWay()).toEqual([]);
  });
});
