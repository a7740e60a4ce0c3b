import { beforeAll, describe, expect, test } from 'vitest';
import { zeroCounts } from '../../../src/core/run.ts';
import type { StagedRow } from '../../../src/ledger/database/schema.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { ClaimedRecord } from '../../../src/ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../../src/ledger/records/delivery-result.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

// What every ledger owes to records that did not get through, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('Undelivered records, on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;

  beforeAll(() => {
    ledger = opened.ledger;
  });

  const receipt = { location: 'a.csv', bytes: 1, sha256: 'abc', etag: '"1"', durationMs: 1, complete: true };
  const failed = { is: 'failed', code: 'FF_CMS_SERVER', reason: 'no', uploads: 0 } as const;
  const refused = { ...failed, code: 'FF_CMS_UNPROCESSABLE', refused: 'r1' } as const;
  const held = { ...failed, is: 'held', code: 'FF_ADOPT_AMBIGUOUS' } as const;
  const deleted = { is: 'deleted', recreate: false, code: 'FF_CMS_DELETED', reason: 'gone', uploads: 0 } as const;
  const created = (cmsId: number): DeliveryResult => {
    return { is: 'created', cmsId, delivered: {}, deliveredAttachments: {}, uploads: 0 };
  };

  function row(run: string, key: string, more: Partial<StagedRow> = {}): StagedRow {
    const content = { desired: `{"title":"${key}"}`, attachments: '[]', hash: `h-${key}`, changed: '["title"]' };
    return { run, key, op: 'create', place: 'line 1', resource: 'events', ...content, ...more };
  }

  /** A run that stages its rows, settles their results, and ends. */
  async function runOnce(
    sync: string,
    rows: Array<[key: string, settlement?: DeliveryResult, more?: Partial<StagedRow>]>,
    rules = {},
    findings?: Parameters<Ledger['runs']['record']>[1],
  ): Promise<string> {
    const run = await ledger.runs.begin(sync, 'run');
    if (findings) await ledger.runs.record(run, findings);
    await ledger.plans.add(rows.map(([key, , more]) => row(run, key, more)));
    await ledger.plans.apply(run, sync, rules);
    const settlements = new Map(rows.map(([key, settlement]) => [key, settlement]));
    for (const record of await ledger.records.claim(sync, [...settlements.keys()], 60_000)) await settle(record);
    await ledger.plans.discard(run);
    await ledger.runs.finish(run);
    return run;

    async function settle(record: ClaimedRecord): Promise<void> {
      const settlement = settlements.get(record.key);
      if (settlement) await ledger.records.settle(record, settlement);
      else await ledger.records.release([record]);
    }
  }

  test('Pending, failed and held records are due, only the named ones if keys are given', async () => {
    await runOnce('due', [['a', failed], ['b', held], ['c', created(1)], ['d'], ['e', deleted]]);
    expect(await ledger.plans.retryable('due')).toEqual(['a', 'b', 'd']);
    expect(await ledger.plans.retryable('due', ['d', 'c', 'x', 'a'])).toEqual(['a', 'd']);
    expect(await ledger.plans.unknownKeys('due', ['a', 'x', 'c', 'y'])).toEqual(['x', 'y']);
    expect(await ledger.plans.retryable('another')).toEqual([]);
  });

  test.each([
    ['stays deleted', 'update', [], { skipped: 1 }],
    ['is created if that is planned', 'create', [{ key: 'a', knows: 'none' }], { failed: 1 }],
  ] as const)('What editors have deleted since a plan was made %s', async (_, op, claimed, counts) => {
    const sync = `deleted, then ${op}`;
    await runOnce(sync, [['a', created(op.length)]]);
    const first = await ledger.runs.begin(sync, 'run');
    await ledger.plans.add([row(first, 'a', { op: 'update', hash: 'h2' })]);
    await ledger.plans.apply(first, sync);
    const [record] = await ledger.records.claim(sync, ['a'], 60_000);
    await ledger.runs.finish(first);

    const next = await ledger.runs.begin(sync, 'run');
    const seen = { desired: { title: 'a' }, delivered: {}, deliveredAttachments: {}, changed: ['title'] };
    if (op === 'update') await ledger.plans.stageAgain(next, sync, [{ key: 'a', ...seen }]);
    else await ledger.plans.add([row(next, 'a', { op, hash: 'h3' })]);
    await ledger.records.settle(record!, deleted);
    await ledger.plans.apply(next, sync);
    expect(await ledger.records.claim(sync, ['a'], 60_000)).toMatchObject(claimed);
    await ledger.runs.finish(next);
    expect(await ledger.runs.report(next)).toMatchObject({ counts });
  });

  test('Records that the source skips or no longer has are due only if they are named', async () => {
    await runOnce('unwanted', [
      ['a', failed],
      ['b', failed],
      ['c', { ...held, doubt: 'sent' }],
      ['d', failed],
    ]);
    await runOnce('unwanted', [['a', undefined, { op: 'skipped' }]]);
    expect(await ledger.plans.retryable('unwanted')).toEqual(['b', 'c', 'd']);
    await runOnce('unwanted', [['b', undefined, { op: 'rejected' }]], { provesAbsence: true });
    expect(await ledger.plans.retryable('unwanted')).toEqual(['b']);
    expect(await ledger.plans.retryable('unwanted', ['a', 'd'])).toEqual(['a', 'd']);
    // It may be in the CMS, which must be visible.
    expect(await ledger.records.undelivered('unwanted')).toMatchObject({
      failed: 1,
      held: 1,
      first: [{ key: 'c' }, { key: 'b' }],
    });
    await runOnce('unwanted', [['d', failed]]);
    expect(await ledger.plans.retryable('unwanted')).toEqual(['b', 'd']);
  });

  test('What an undo could not take away, and the source no longer has, is due only if it is named', async () => {
    const sync = 'taken away';
    await runOnce(sync, [['a', created(801)]]);
    const undo = await ledger.runs.begin(sync, 'undo');
    await ledger.plans.add([{ run: undo, key: 'a', op: 'delete', place: 'line 1', resource: 'events' }]);
    await ledger.plans.apply(undo, sync);
    const [record] = await ledger.records.claim(sync, ['a'], 60_000);
    if (!record) throw new Error('The record is not claimed.');
    await ledger.records.sending(record, { method: 'DELETE', body: null, before: { title: 'a' } });
    await ledger.records.settle(record, { ...held, code: 'FF_CMS_UNPROVEN', doubt: 'sent' });
    await ledger.runs.finish(undo);
    expect(await ledger.plans.retryable(sync)).toEqual(['a']);
    await runOnce(sync, [['b', created(802)]], { provesAbsence: {} });
    expect(await ledger.plans.retryable(sync)).toEqual([]);
    expect(await ledger.plans.retryable(sync, ['a'])).toEqual(['a']);
  });

  test('A retry stages the records of the ledger, and no feed counts as read', async () => {
    await runOnce('stage', [
      ['a', failed, { resource: 'accounts', password: 'sealed' }],
      ['b', created(20)],
    ]);
    await runOnce('stage', [
      ['b', failed, { op: 'update', hash: 'h2', resource: 'accounts', password: 'for nothing' }],
    ]);
    const run = await ledger.runs.begin('stage', 'retry');
    await expect(opened.second.runs.begin('stage', 'run')).rejects.toMatchObject({ code: 'FF_RUN_BUSY' });
    await ledger.plans.stageRetries(run, 'stage', ['a']);
    expect(await ledger.plans.summarise(run)).toMatchObject({ creates: 1, updates: 1 });
    expect(await ledger.plans.summarise(run, ['a'])).toMatchObject({ creates: 1, updates: 0 });
    await ledger.plans.keepOnly(run, ['a']);
    await ledger.runs.record(run, { counts: { ...zeroCounts(), read: 1 } });
    expect(await ledger.plans.apply(run, 'stage')).toEqual(['a']);
    const [record] = await ledger.records.claim('stage', ['a', 'b'], 60_000);
    expect(record).toMatchObject({
      key: 'a',
      run,
      password: 'sealed',
      desired: { title: 'a' },
      knows: 'none',
    });
    await ledger.records.settle(record!, created(21));
    await ledger.runs.finish(run);
    expect(await ledger.runs.report(run)).toMatchObject({
      status: 'success',
      complete: false,
      counts: { read: 1, created: 1, missing: 0 },
    });
    expect((await ledger.runs.recent(['stage'], 1)).get('stage')?.[0]?.run).not.toBe(run);
    expect((await ledger.runs.lastReading('stage'))?.run).not.toBe(run);
    expect(await ledger.runs.find(run)).toMatchObject({ kind: 'retry' });
    expect(await ledger.plans.retryable('stage')).toEqual(['b']);
  });

  test('A delivered record is staged again, with what is known of its item', async () => {
    await runOnce('again', [
      ['a', created(95)],
      ['b', created(96)],
    ]);
    const run = await ledger.runs.begin('again', 'retry');
    const edited = { delivered: { title: 'Edited' }, deliveredAttachments: {}, changed: ['title'] };
    await ledger.plans.stageAgain(run, 'again', [{ key: 'a', desired: { title: 'a' }, ...edited }]);
    expect(await ledger.plans.apply(run, 'again')).toEqual(['a']);
    expect(await ledger.records.claim('again', ['a', 'b'], 60_000)).toMatchObject([
      { key: 'a', desired: { title: 'a' }, knows: 'known', item: { cmsId: 95, delivered: { title: 'Edited' } } },
    ]);
    await ledger.runs.finish(run);
  });

  test('A feed does not count as unchanged while a record waits', async () => {
    const read = { counts: { ...zeroCounts(), read: 1 }, receipt, warnings: [], fingerprint: 'f1' };
    const run = await runOnce('waits', [['a', deleted]], {}, read);
    expect(await ledger.runs.lastRead('waits', 'f1')).toMatchObject({ run });
    const retry = await ledger.runs.begin('waits', 'retry');
    expect(await ledger.plans.stageItemless(retry, 'waits', 'a')).toBe(true);
    await ledger.plans.apply(retry, 'waits');
    await ledger.runs.finish(retry);
    expect(await ledger.runs.lastRead('waits', 'f1')).toBeUndefined();
  });

  test('A held record that the CMS may have is looked up when it is tried', async () => {
    await runOnce('doubt', [
      ['a', held],
      ['b', { ...held, code: 'FF_SECRET_UNREADABLE' }],
    ]);
    const run = await ledger.runs.begin('doubt', 'retry');
    await ledger.plans.stageRetries(run, 'doubt');
    await ledger.plans.lookUpHeld(run, 'doubt');
    await ledger.plans.apply(run, 'doubt');
    const claimed = await ledger.records.claim('doubt', ['a', 'b'], 60_000);
    expect(new Map(claimed.map(({ key, knows }) => [key, knows]))).toEqual(
      new Map([
        ['a', 'maybe'],
        ['b', 'none'],
      ]),
    );
  });

  test('Only an unclaimed record without an item can be assigned one', async () => {
    await runOnce('itemless', [['a', created(30)], ['b', deleted], ['c']]);
    const [claimed] = await ledger.records.claim('itemless', ['c'], 60_000);
    const run = await ledger.runs.begin('itemless', 'retry');
    const staged = [];
    for (const key of ['a', 'b', 'c', 'x']) staged.push(await ledger.plans.stageItemless(run, 'itemless', key));
    expect(staged).toEqual([false, true, false, false]);
    await ledger.records.release([claimed!]);
    expect(await ledger.plans.stageItemless(run, 'itemless', 'c')).toBe(true);
    expect((await ledger.records.ownersOf('events', [30])).get(30)).toEqual({ sync: 'itemless', key: 'a' });
    expect((await ledger.records.ownersOf('accounts', [30])).size).toBe(0);
    await ledger.runs.finish(run);
  });

  test('A refusal is remembered until a change is tried, and a plan that keeps it back repeats it', async () => {
    await runOnce('refused', [['a', refused]]);
    const known = async () => (await ledger.plans.known('refused', ['a'])).get('a');
    const refusal = { hash: 'r1', code: 'FF_CMS_UNPROCESSABLE', reason: 'no', password: null } as const;
    expect(await known()).toMatchObject({ refusal });
    const kept = {
      op: 'failed',
      error: JSON.stringify({ code: refusal.code, reason: refusal.reason, refused: 'r1' }),
    } as const;
    const repeated = await runOnce('refused', [['a', undefined, kept]]);
    expect(await ledger.runs.report(repeated)).toMatchObject({
      counts: { failed: 1 },
      problems: [{ key: 'a', code: refusal.code, reason: refusal.reason }],
    });
    expect(await known()).toMatchObject({ refusal });
    await runOnce('refused', [['a', failed]]);
    expect(await known()).not.toHaveProperty('refusal');
  });

  test('An item that editors have deleted is not created again for a change that a plan has made meanwhile', async () => {
    await runOnce('deleted meanwhile', [
      ['a', created(41)],
      ['b', created(42)],
    ]);
    const plan = async (hash: string, op: 'update' | 'delete' = 'update') => {
      const run = await ledger.runs.begin('deleted meanwhile', 'run');
      await ledger.plans.add(['a', 'b'].map((key) => row(run, key, { op: key === 'b' ? op : 'update', hash })));
      await ledger.plans.apply(run, 'deleted meanwhile', {});
      return run;
    };
    const first = await plan('h2');
    const [a, b] = await ledger.records.claim('deleted meanwhile', ['a', 'b'], 60_000);
    await ledger.runs.finish(first);
    const second = await plan('h3', 'delete');
    await ledger.records.settle(a!, deleted);
    await ledger.records.settle(b!, deleted);
    expect(await ledger.records.state('deleted meanwhile', 'a')).toMatchObject({
      status: 'deleted',
    });
    // What is to be deleted is counted as such.
    expect(await ledger.records.state('deleted meanwhile', 'b')).toMatchObject({ status: 'pending' });
    await ledger.runs.finish(second);
  });

  test('An item deleted in the CMS is settled as skipped, and belongs to no record', async () => {
    await runOnce('deleted', [['a', created(40)]]);
    const run = await runOnce('deleted', [['a', deleted, { op: 'update', hash: 'h2' }]]);
    expect(await ledger.runs.report(run)).toMatchObject({ counts: { skipped: 1, failed: 0 }, problems: [] });
    expect((await ledger.plans.known('deleted', ['a'])).get('a')).toMatchObject({
      cmsId: null,
      payload: null,
      deleted: { code: 'FF_CMS_DELETED', reason: 'gone' },
    });
    expect(await ledger.plans.countMissing('no run', 'deleted', {})).toEqual({ covered: 0, missing: 0, newly: 0 });
    expect(await ledger.records.undelivered('deleted')).toEqual({
      pending: 0,
      notSent: 0,
      failed: 0,
      held: 0,
      deleted: 1,
      first: [],
    });
    expect(await ledger.plans.recordsNotRead('no run', 'deleted', { isWhole: true })).toMatchObject([
      { key: 'a', content: { title: 'a' } },
    ]);
    // A record that is to be created again is pending at once, and looked up first: its item may have another id.
    const again = await ledger.runs.begin('deleted', 'run');
    await ledger.plans.add([row(again, 'a', { resource: 'accounts', password: 'sealed' })]);
    await ledger.plans.apply(again, 'deleted', { keepPasswords: true });
    const [record] = await ledger.records.claim('deleted', ['a'], 60_000);
    await ledger.records.settle(record!, { ...deleted, recreate: true });
    expect(await ledger.records.claim('deleted', ['a'], 60_000)).toMatchObject([
      { knows: 'maybe', open: [{ doubt: 'elsewhere' }], password: 'sealed' },
    ]);
    await ledger.runs.finish(again);
  });
});
