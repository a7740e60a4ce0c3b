import { beforeAll, describe, expect, test } from 'vitest';
import { zeroCounts } from '../../../src/core/run.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { ClaimedRecord } from '../../../src/ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../../src/ledger/records/delivery-result.ts';
import type { KeptRejection } from '../../../src/ledger/runs/rejections.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

// What every ledger reports about records and runs, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('The delivery history of a ledger on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;

  beforeAll(() => {
    ledger = opened.ledger;
  });

  async function claimed(sync: string, key: string, op: 'create' | 'update' = 'create'): Promise<ClaimedRecord> {
    const run = await ledger.runs.begin(sync, 'run');
    const changed = '["title"]';
    const row = { run, key, op, place: 'line 1', attachments: '[]', hash: `h-${run}`, changed };
    await ledger.plans.add([{ ...row, resource: 'events', desired: '{"title":"new"}' }]);
    await ledger.plans.apply(run, sync);
    const [record] = await ledger.records.claim(sync, [key], 60_000);
    if (!record) throw new Error('nothing was claimed');
    return record;
  }

  function done(is: 'created' | 'updated', cmsId: number): DeliveryResult {
    return { is, cmsId, delivered: { title: 'x' }, deliveredAttachments: {}, uploads: 1 };
  }

  const failed = {
    is: 'failed',
    code: 'FF_CMS_UNPROCESSABLE',
    reason: 'no',
    createUnconfirmed: false,
    uploads: 0,
  } as const;
  const retry = { ...failed, is: 'retry', code: 'FF_CMS_SERVER', reason: 'busy', afterMs: -1000 } as const;

  test('Each delivery of a record is remembered, the newest first', async () => {
    const record = await claimed('history', 'a');
    await ledger.records.settle(record, { ...retry, sent: { method: 'POST', attributes: ['title', 'date'] } });
    const [again] = await ledger.records.claim('history', ['a'], 60_000);
    await ledger.records.settle(again!, {
      ...done('created', 7),
      sent: { method: 'POST', attributes: ['title', 'date'] },
    });
    await ledger.runs.finish(record.run);
    const next = await claimed('history', 'a', 'update');
    await ledger.records.settle(next, { ...failed, sent: { method: 'PATCH', attributes: ['title'] } });

    const history = await ledger.history.deliveries('history', 'a');
    expect(history).toEqual([
      {
        run: next.run,
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        outcome: 'failed',
        sent: { method: 'PATCH', attributes: ['title'] },
        uploads: 0,
        cmsId: 7,
        error: { code: 'FF_CMS_UNPROCESSABLE', reason: 'no' },
        before: null,
        after: null,
      },
      expect.objectContaining({ run: record.run, outcome: 'created', cmsId: 7, uploads: 1 }),
      expect.objectContaining({ outcome: 'retry', error: { code: 'FF_CMS_SERVER', reason: 'busy' } }),
    ]);
    expect(history[1]).not.toHaveProperty('error');
    expect(history[2]).not.toHaveProperty('cmsId');
    expect(await ledger.history.deliveries('another', 'a')).toEqual([]);
  });

  test('A process that has lost its claim adds nothing to the history', async () => {
    const record = await claimed('lost', 'a');
    expect(await ledger.records.settle({ ...record, claim: 'stale' }, done('created', 8))).toBe(false);
    expect(await ledger.history.deliveries('lost', 'a')).toEqual([]);
    await ledger.records.settle(record, done('created', 8));
    expect(await ledger.history.deliveries('lost', 'a')).toMatchObject([{ outcome: 'created' }]);
  });

  test('The last 20 deliveries of a record are kept, and those of other records stay', async () => {
    const other = await claimed('trim', 'other');
    await ledger.records.settle(other, done('created', 30));
    await ledger.runs.finish(other.run);
    let record = await claimed('trim', 'a');
    for (let attempt = 1; attempt <= 30; attempt += 1) {
      await ledger.records.settle(record, { ...retry, reason: `try ${attempt}` });
      record = (await ledger.records.claim('trim', ['a'], 60_000))[0]!;
    }
    await ledger.records.settle(record, done('created', 31));
    await ledger.runs.finish(record.run);
    const history = await ledger.history.deliveries('trim', 'a');
    expect(history).toHaveLength(20);
    expect(history[0]).toMatchObject({ outcome: 'created' });
    expect(history.at(-1)?.error?.reason).toBe('try 12');
    expect(await ledger.history.deliveries('trim', 'other')).toHaveLength(1);
  });

  test('A record under a new key keeps its history', async () => {
    const record = await claimed('moved', 'old');
    await ledger.records.settle(record, done('created', 40));
    await ledger.runs.finish(record.run);
    const run = await ledger.runs.begin('moved', 'run');
    const unchanged = { run, key: 'new', op: 'unchanged', place: 'line 1', previous_key: 'old' } as const;
    await ledger.plans.add([unchanged]);
    await ledger.plans.apply(run, 'moved');
    expect(await ledger.history.deliveries('moved', 'new')).toMatchObject([{ cmsId: 40 }]);
    expect(await ledger.history.deliveries('moved', 'old')).toEqual([]);
  });

  test('A record keeps its series and its slot until the source says otherwise', async () => {
    const record = await claimed('series', 'old');
    await ledger.records.settle(record, done('created', 41));
    await ledger.runs.finish(record.run);
    const unread = async (run: string) => (await ledger.plans.recordsNotRead(run, 'series', { isWhole: true }))[0];
    const first = await ledger.runs.begin('series', 'run');
    expect(await unread(first)).toMatchObject({ key: 'old', cmsId: 41 });
    expect(await unread(first)).not.toHaveProperty('occurrence');

    const [row, occurrence] = [
      {
        run: first,
        op: 'unchanged',
        place: 'line 1',
        desired: '{"title":"x"}',
        attachments: '[]',
        hash: record.hash,
      } as const,
      { series: 'yoga', slot: '2027-01-05' },
    ];
    await ledger.plans.add([{ ...row, key: 'new', previous_key: 'old', ...occurrence }]);
    await ledger.plans.apply(first, 'series');
    await ledger.runs.finish(first);
    const second = await ledger.runs.begin('series', 'run');
    expect(await unread(second)).toMatchObject({ key: 'new', occurrence });
    await ledger.plans.add([{ run: second, key: 'new', op: 'unchanged', place: 'line 1' }]);
    expect(await ledger.plans.occurrencesRead(second, 'series')).toEqual([occurrence]);
    await ledger.plans.apply(second, 'series');
    await ledger.runs.finish(second);
    const third = await ledger.runs.begin('series', 'run');
    expect(await unread(third)).toMatchObject({ key: 'new', occurrence });
    expect(await ledger.plans.occurrencesRead(third, 'series')).toEqual([]);
    await ledger.runs.finish(third);
  });

  test('The ledger shows the state of a record and the undelivered records', async () => {
    expect(await ledger.records.state('states', 'a')).toBeUndefined();
    const record = await claimed('states', 'a');
    await ledger.records.settle(record, { ...retry, afterMs: 60_000, doubt: 'sent' });
    expect(await ledger.records.state('states', 'a')).toEqual({
      status: 'pending',
      run: record.run,
      attempts: 1,
      retryAt: expect.stringMatching(/^\d{4}-.*Z$/),
      maybeSent: true,
      marked: false,
      error: { code: 'FF_CMS_SERVER', reason: 'busy' },
      known: expect.objectContaining({ payload: null, fingerprints: {}, cmsId: null }),
    });
    await ledger.runs.finish(record.run);
    const second = await claimed('states', 'b');
    await ledger.records.settle(second, failed);
    await ledger.runs.finish(second.run);
    const third = await claimed('states', 'c');
    await ledger.records.settle(third, done('created', 50));

    expect(await ledger.records.undelivered('states', 1)).toMatchObject({
      pending: 1,
      notSent: 0,
      failed: 1,
      held: 0,
      deleted: 0,
      first: [{ key: 'b', title: 'new', status: 'failed', code: 'FF_CMS_UNPROCESSABLE', reason: 'no' }],
    });
    expect((await ledger.records.undelivered('states', 10)).first.map(({ key }) => key)).toEqual(['b', 'a']);
    expect(await ledger.records.state('states', 'c')).toMatchObject({
      status: 'delivered',
      outcome: 'created',
      cmsId: 50,
      deliveredAt: expect.stringMatching(/Z$/),
    });
  });

  test('All rejections of a run are in feed order', async () => {
    const run = await ledger.runs.begin('rejects', 'run');
    const rejections = Array.from({ length: 1200 }, (_, index): KeptRejection => {
      const rejection = { at: `line ${index}`, code: 'FF_RECORD_VALUE', reason: `no ${index}` } as const;
      return index % 2 === 0 ? rejection : { ...rejection, key: `k${index}`, fields: { nested: { n: index } } };
    });
    await ledger.runs.addRejections(run, 0, rejections.slice(0, 700));
    await ledger.runs.addRejections(run, 700, rejections.slice(700));
    await ledger.runs.addRejections(run, 1200, []);
    const read: KeptRejection[] = [];
    for await (const rejection of ledger.runs.rejections(run)) read.push(rejection);
    expect(read).toEqual(rejections);
    expect(await ledger.runs.firstRejections(run, 2)).toEqual([
      { at: 'line 0', code: 'FF_RECORD_VALUE', reason: 'no 0' },
      { at: 'line 1', code: 'FF_RECORD_VALUE', reason: 'no 1', key: 'k1', fields: { nested: { n: 1 } } },
    ]);
  });

  test('Neither the last run nor the last reading is a plan, which applies nothing; the last reading has read records', async () => {
    const recent = async () => (await ledger.runs.recent(['past'], 1)).get('past')?.[0]?.run;
    expect(await recent()).toBeUndefined();
    const read = { counts: { ...zeroCounts(), read: 3 }, warnings: [], fingerprint: 'config' };
    const run = await ledger.runs.begin('past', 'run');
    await ledger.runs.record(run, read);
    await ledger.runs.finish(run);
    const plan = await ledger.runs.begin('past', 'plan');
    await ledger.runs.record(plan, read);
    const broken = await ledger.runs.begin('past', 'run');
    await ledger.runs.finish(broken, { status: 'failed', code: 'FF_FEED_STATUS', message: 'status 500' });

    expect(await ledger.runs.find(run)).toMatchObject({ run, sync: 'past', kind: 'run', counts: { read: 3 } });
    expect(await ledger.runs.find('nope')).toBeUndefined();
    const ids = [await recent(), (await ledger.runs.lastReading('past'))?.run];
    // Runs of one millisecond are in no order.
    expect(ids[0]).not.toBe(plan);
    expect(ids[1]).toBe(run);
    expect(await ledger.runs.find(broken)).toMatchObject({
      status: 'failed',
      finishedAt: expect.stringMatching(/Z$/),
      error: { code: 'FF_FEED_STATUS', message: 'status 500' },
    });
  });
});
