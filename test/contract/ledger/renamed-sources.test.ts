import { beforeAll, describe, expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

describe.each(ledgerEngines.filter(hasEngine))('A source of a sync, in a ledger on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;
  const runs: string[] = [];

  beforeAll(() => {
    ledger = opened.ledger;
  });

  const row = { place: 'line 1', resource: 'events', attachments: '[]', desired: '{"title":"x"}', hash: 'h' } as const;

  async function deliver(sync: string, key: string, cmsId: number): Promise<void> {
    const run = await ledger.runs.begin(sync, 'run');
    await ledger.plans.add([{ ...row, run, key, op: 'create', changed: '["title"]' }]);
    await ledger.plans.apply(run, sync);
    const [record] = await ledger.records.claim(sync, [key], 60_000);
    const sent = { method: 'POST' as const, attributes: ['title'] };
    const delivered = { delivered: { title: 'x' }, deliveredAttachments: {}, uploads: 0, sent };
    await ledger.records.settle(record!, { is: 'created', cmsId, ...delivered });
    await ledger.runs.addRejections(run, 0, [{ at: 'line 9', code: 'FF_RECORD_VALUE', reason: 'no', key: `${key}9` }]);
    await ledger.runs.finish(run);
    runs.push(run);
  }

  test('takes over the records of a former sync, with their keys after its name', async () => {
    await deliver('both', 'art/1', 11);
    await deliver('art', '1', 21);
    await deliver('art', '2', 22);
    await deliver('art', 'art/3', 23);
    await ledger.records.takeOverRecords('art', 'both', 'art/');

    const idsOf = async (sync: string, keys: string[]) =>
      (await Promise.all(keys.map(async (key) => [key, (await ledger.records.state(sync, key))?.cmsId]))).filter(
        ([, cmsId]) => cmsId !== undefined,
      );
    expect(await idsOf('both', ['1', '2', 'art/1', 'art/2', 'art/3', 'art/art/3'])).toEqual([
      ['art/1', 11],
      ['art/2', 22],
      ['art/art/3', 23],
    ]);
    expect(await idsOf('art', ['1', '2', 'art/3'])).toEqual([['1', 21]]);
    expect(await ledger.history.deliveries('both', 'art/2')).toHaveLength(1);
    expect((await ledger.runs.firstRejections(runs.at(-1)!, 1))[0]?.key).toBe('art/art/39');
  });
});
