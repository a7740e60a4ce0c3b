import { describe, expect, test } from 'vitest';
import { type RunCounts, zeroCounts } from '../../../src/core/run.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

describe.each(ledgerEngines.filter(hasEngine))('Remote files on %s', (engine) => {
  const opened = withLedger(engine);

  test('Remote files are remembered with their validators for all processes', async () => {
    const { ledger, second } = opened;
    expect(await ledger.files.find('h1')).toBeUndefined();
    const file = { sha256: 'c1', etag: '"1"', lastModified: 'Sat, 01 Jan 2022 00:00:00 GMT' };
    await ledger.files.remember('h1', file);
    await ledger.files.remember('h2', { sha256: 'c2' });
    expect(await second.files.find('h1')).toEqual(file);
    expect(await second.files.find('h2')).toEqual({ sha256: 'c2' });

    // Validators belong to a content: none of an earlier one stays.
    await second.files.remember('h1', { sha256: 'c3', lastModified: 'Sun, 02 Jan 2022 00:00:00 GMT' });
    expect(await ledger.files.find('h1')).toEqual({
      sha256: 'c3',
      lastModified: 'Sun, 02 Jan 2022 00:00:00 GMT',
    });
  });

  test('Two processes may record the same file at the same time', async () => {
    const { ledger, second } = opened;
    await Promise.all(
      [ledger, second, ledger, second].map((each) => each.files.remember('h3', { sha256: 'c', etag: '"1"' })),
    );
    expect(await ledger.files.find('h3')).toEqual({ sha256: 'c', etag: '"1"' });
  });

  test.each([
    ['url:a:b', false],
    ['b', true],
  ])('A feed whose record has the file %s is requested conditionally: %s', async (fingerprint, expected) => {
    const { ledger } = opened;
    const sync = `files ${fingerprint}`;
    const run = await ledger.runs.begin(sync, 'run');
    const row = { run, key: 'k', op: 'create', place: 'line 1', resource: 'events', desired: '{}', hash: 'h' } as const;
    await ledger.plans.add([{ ...row, attachments: '[]', changed: '[]' }]);
    await ledger.plans.apply(run, sync);
    const [record] = await ledger.records.claim(sync, ['k'], 60_000);
    await ledger.records.settle(record!, {
      is: 'created',
      cmsId: expected ? 1 : 2,
      delivered: {},
      deliveredAttachments: { image: fingerprint },

      uploads: 0,
    });
    const counts: RunCounts = { ...zeroCounts(), read: 1 };
    const receipt = { location: 'a', bytes: 1, sha256: 'a', etag: '"1"', durationMs: 1, complete: true };
    await ledger.runs.record(run, { counts, receipt, warnings: [], fingerprint: 'f' });
    await ledger.runs.finish(run);
    expect((await ledger.runs.lastRead(sync, 'f')) !== undefined).toBe(expected);
  });
});
