import { beforeAll, describe, expect, test } from 'vitest';
import type { Payload } from '../../../src/core/record.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { ClaimedRecord } from '../../../src/ledger/records/claimed-record.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

describe.each(ledgerEngines.filter(hasEngine))('The holder of a value, in a ledger on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;

  beforeAll(() => {
    ledger = opened.ledger;
  });

  async function claimed(sync: string, key: string, desired: Payload): Promise<ClaimedRecord> {
    const run = await ledger.runs.begin(sync, 'run');
    const row = { run, key, op: 'create', place: 'line 1', attachments: '[]', hash: JSON.stringify(desired) } as const;
    await ledger.plans.add([{ ...row, resource: 'accounts', desired: JSON.stringify(desired), changed: '[]' }]);
    await ledger.plans.apply(run, sync);
    const [record] = await ledger.records.claim(sync, [key], 60_000);
    if (!record) throw new Error('nothing was claimed');
    return record;
  }

  async function created(sync: string, key: string, delivered: Payload, cmsId: number): Promise<void> {
    const record = await claimed(sync, key, delivered);
    await ledger.records.settle(record, {
      is: 'created',
      cmsId,
      delivered,
      deliveredAttachments: {},
    });
    await ledger.runs.finish(record.run);
  }

  const holderOf = (sync: string, key: string, attribute: string, value: string) =>
    ledger.records.holderOf({ sync, key, resource: 'accounts' }, attribute, value);

  test('is another record of the sync whose item has exactly the value, in any case', async () => {
    await created('values', 'a', { email: 'Anna_B@x.org', username: 'a%b\\"c' }, 101);
    await created('others', 'a', { email: 'nils@x.org' }, 102);
    expect(await holderOf('values', 'b', 'email', 'anna_b@X.org')).toEqual({
      key: 'a',
      cmsId: 101,
      isPending: false,
      isMissing: false,
      desired: { email: 'Anna_B@x.org', username: 'a%b\\"c' },
    });
    expect(await holderOf('values', 'b', 'username', 'a%b\\"c')).toMatchObject({ key: 'a' });
    for (const [attribute, value] of [
      ['email', 'annaxb@x.org'],
      ['email', 'b@x.org'],
      ['email', '%'],
      ['username', 'anna_b@x.org'],
      ['username', 'axb\\"c'],
    ] as const) {
      expect(await holderOf('values', 'b', attribute, value)).toBeUndefined();
    }
    expect(await holderOf('values', 'a', 'email', 'anna_b@x.org')).toBeUndefined();
    expect(await holderOf('values', 'b', 'email', 'nils@x.org')).toBeUndefined();
  });

  test('is otherwise a record that is about to get it', async () => {
    const record = await claimed('pending', 'a', { email: 'a@x.org' });
    expect(await holderOf('pending', 'b', 'email', 'a@x.org')).toMatchObject({
      key: 'a',
      cmsId: null,
      isPending: true,
    });
    const failure = { is: 'failed', code: 'FF_CMS_UNPROCESSABLE', reason: 'no', createUnconfirmed: false } as const;
    await ledger.records.settle(record, { ...failure, refused: 'hash', refusedBy: 'c' });
    expect(await holderOf('pending', 'b', 'email', 'a@x.org')).toBeUndefined();
    expect((await ledger.plans.known('pending', ['a'])).get('a')?.refusal).toMatchObject({ hash: 'hash', by: 'c' });
    await ledger.runs.finish(record.run);
  });
});
