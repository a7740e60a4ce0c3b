import { beforeAll, describe, expect, test } from 'vitest';
import { countUndone, zeroCounts } from '../../../src/core/run.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

// What every ledger owes, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('Ledger on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;
  let second: Ledger;

  beforeAll(() => {
    ({ ledger, second } = opened);
  });

  async function stageCreates(sync: string, keys: string[]): Promise<string> {
    const run = await ledger.runs.begin(sync, 'run');
    await ledger.plans.add(
      keys.map((key) => ({
        run,
        key,
        op: 'create',
        place: 'line 1',
        resource: 'events',
        desired: `{"title":"${key}"}`,
        attachments: '[]',
        hash: `h-${key}`,
        changed: '["title"]',
      })),
    );
    return run;
  }

  const created = (cmsId: number, title: string) =>
    ({ is: 'created', cmsId, delivered: { title }, deliveredAttachments: {}, uploads: 0 }) as const;

  test('Only one run of a sync is active at a time', async () => {
    const run = await ledger.runs.begin('single', 'run');
    await expect(second.runs.begin('single', 'run')).rejects.toMatchObject({ code: 'FF_RUN_BUSY' });
    await second.runs.begin('single', 'plan');
    await ledger.runs.finish(run);
    await second.runs.begin('single', 'run');
  });

  test('Exactly one of two concurrent attempts to begin a run succeeds', async () => {
    const attempts = await Promise.allSettled(
      [ledger, second, ledger, second].map((each) => each.runs.begin('race', 'run')),
    );
    expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1);
  });

  test('A plan becomes the desired state, and its records are claimed once', async () => {
    const run = await stageCreates('claims', ['a', 'b', 'c']);
    expect((await ledger.plans.apply(run, 'claims')).sort()).toEqual(['a', 'b', 'c']);

    const [mine, others] = await Promise.all([
      ledger.records.claim('claims', ['a', 'b', 'c'], 60_000),
      second.records.claim('claims', ['a', 'b', 'c'], 60_000),
    ]);
    expect([...mine, ...others].map((record) => record.key).sort()).toEqual(['a', 'b', 'c']);
    for (const record of [...mine, ...others])
      expect(record).toMatchObject({ desired: { title: record.key }, knows: 'none' });
  });

  test('A settled record is delivered, and its outcome is counted in the run', async () => {
    const run = await stageCreates('settle', ['a', 'b']);
    await ledger.plans.apply(run, 'settle');
    const [a, b] = (await ledger.records.claim('settle', ['a', 'b'], 60_000)).sort((one, other) =>
      one.key.localeCompare(other.key),
    );
    expect(await ledger.records.settle(a!, created(1, 'a'))).toBe(true);
    expect(await ledger.runs.state(run)).toMatchObject({ hasPending: true });
    const failed = {
      is: 'failed',
      code: 'FF_CMS_UNPROCESSABLE',
      reason: 'no',
      uploads: 2,
    } as const;
    expect(await ledger.records.settle(b!, failed)).toBe(true);
    expect(await ledger.runs.state(run)).toMatchObject({ hasPending: false });

    expect(await ledger.runs.finish(run)).toBe(true);
    expect(await second.runs.finish(run)).toBe(false);
    const report = await ledger.runs.report(run);
    expect(report).toMatchObject({ status: 'partial', counts: { created: 1, failed: 1, uploaded: 2 } });
    expect(report.problems).toEqual([{ key: 'b', title: 'b', code: 'FF_CMS_UNPROCESSABLE', reason: 'no' }]);
    const known = await ledger.plans.known('settle', ['a', 'b']);
    expect(known.get('a')).toEqual({
      payload: { title: 'a' },
      isUnconfirmed: false,
      attachments: '[]',
      fingerprints: {},
      cmsId: 1,
      editorState: {},
    });
    expect(known.get('b')?.cmsId).toBeNull();
  });

  test('An item belongs to one record: another create that the CMS answered with it is held', async () => {
    const run = await stageCreates('twice', ['a', 'b', 'c']);
    await ledger.plans.apply(run, 'twice');
    const claimed = await ledger.records.claim('twice', ['a', 'b'], 60_000);
    await Promise.all(claimed.map((record) => ledger.records.settle(record, created(900, record.key))));
    const [c] = await second.records.claim('twice', ['c'], 60_000);
    await second.records.settle(c!, created(900, 'c'));
    await ledger.runs.finish(run);
    const { counts, problems } = await ledger.runs.report(run);
    expect(counts).toMatchObject({ created: 1, held: 2 });
    expect(problems.map(({ code }) => code)).toEqual(['FF_CMS_FOREIGN', 'FF_CMS_FOREIGN']);
  });

  test('A lapsed claim cannot settle, and the next claim knows that a create may have been sent', async () => {
    const run = await stageCreates('lapse', ['a']);
    await ledger.plans.apply(run, 'lapse');
    const [lapsed] = await ledger.records.claim('lapse', ['a'], -1);
    const [next] = await second.records.claim('lapse', ['a'], 60_000);
    expect(next).toMatchObject({ key: 'a', knows: 'maybe', open: [{ method: 'POST', doubt: 'sent' }] });
    expect(await ledger.records.settle(lapsed!, created(1, 'a'))).toBe(false);
    expect(await second.records.settle(next!, created(2, 'a'))).toBe(true);
    expect((await ledger.plans.known('lapse', ['a'])).get('a')?.cmsId).toBe(2);
  });

  test('A claim is confirmed and renewed only while it is held', async () => {
    const run = await stageCreates('hold', ['a', 'b']);
    await ledger.plans.apply(run, 'hold');
    const [lapsed] = await ledger.records.claim('hold', ['a'], -1);
    const [held] = await ledger.records.claim('hold', ['b'], 60_000);
    const confirm = () => Promise.all([ledger.records.confirm(lapsed!), ledger.records.confirm(held!)]);
    expect(await confirm()).toEqual([0, expect.toSatisfy((ms: number) => ms > 1_000 && ms <= 60_000)]);
    expect(await ledger.records.renew(lapsed!, 60_000)).toBe(false);
    const [taken] = await second.records.claim('hold', ['a'], 60_000);
    expect(await ledger.records.renew(lapsed!, 60_000)).toBe(false);
    expect(await confirm()).toEqual([0, expect.any(Number)]);
    expect(await ledger.records.confirm(taken!)).toBeGreaterThan(1_000);
    expect(await ledger.records.renew(held!, 60_000)).toBe(true);
  });

  test('A plan is not applied once its run was ended by another process', async () => {
    const run = await stageCreates('ended', ['a']);
    await ledger.runs.record(run, { counts: { ...zeroCounts(), read: 3, unchanged: 1 }, warnings: [] });
    await ledger.runs.finish(run, { status: 'failed', code: 'FF_RUN_ABANDONED', message: 'It was silent.' });
    expect((await ledger.runs.report(run)).counts).toMatchObject({ read: 3, unchanged: 1, failed: 0, notSent: 2 });
    await expect(ledger.plans.apply(run, 'ended')).rejects.toMatchObject({ code: 'FF_RUN_ABANDONED' });
    expect(await ledger.records.claim('ended', ['a'], 60_000)).toEqual([]);
  });

  test('The counts of a run that fails before its plan is applied balance', async () => {
    const run = await stageCreates('unapplied', ['a', 'b']);
    await ledger.runs.record(run, { counts: { ...zeroCounts(), read: 3, unchanged: 1 }, warnings: [] });
    await ledger.runs.finish(run, { status: 'failed', code: 'FF_LEDGER_UNAVAILABLE', message: 'No answer.' });
    const { counts } = await ledger.runs.report(run);
    expect(counts).toMatchObject({ read: 3, unchanged: 1, failed: 2 });
    expect(countUndone(counts)).toBe(0);
  });

  test('A run that was ended by another process keeps its counts', async () => {
    const run = await ledger.runs.begin('late', 'run');
    await ledger.runs.finish(run, { status: 'failed', code: 'FF_RUN_ABANDONED', message: 'gone' });
    await ledger.runs.record(run, { counts: { ...zeroCounts(), read: 3, unchanged: 1 }, warnings: [] });
    expect(await ledger.runs.report(run)).toMatchObject({ status: 'failed', counts: zeroCounts() });
  });

  test('A released claim leaves no unconfirmed create', async () => {
    const run = await stageCreates('release', ['a']);
    await ledger.plans.apply(run, 'release');
    await ledger.records.release(await ledger.records.claim('release', ['a'], 60_000));
    expect(await second.records.claim('release', ['a'], 60_000)).toMatchObject([{ key: 'a', knows: 'none' }]);
  });

  test('A record to be retried is not claimed before its time', async () => {
    const run = await stageCreates('retry', ['a']);
    await ledger.plans.apply(run, 'retry');
    const [record] = await ledger.records.claim('retry', ['a'], 60_000);
    await ledger.records.settle(record!, {
      is: 'retry',
      code: 'FF_CMS_SERVER',
      reason: '500',
      afterMs: 40_000,
      doubt: 'sent',
      uploads: 0,
    });
    expect(await ledger.records.claim('retry', ['a'], 60_000)).toEqual([]);
    const { pending, dueInMs } = await ledger.records.outstanding('retry', ['a']);
    expect(pending).toBe(1);
    expect(dueInMs).toBeGreaterThan(30_000);
    expect(dueInMs).toBeLessThanOrEqual(40_000);
  });

  test('A newer reading staged during a delivery keeps the record pending', async () => {
    const first = await stageCreates('newer', ['a']);
    await ledger.plans.apply(first, 'newer');
    const [record] = await ledger.records.claim('newer', ['a'], 60_000);
    await ledger.runs.finish(first);
    const next = await ledger.runs.begin('newer', 'run');
    await ledger.plans.add([
      {
        run: next,
        key: 'a',
        op: 'update',
        place: 'line 1',
        resource: 'events',
        desired: '{"title":"new"}',
        attachments: '[]',
        hash: 'h-new',
        changed: '[]',
      },
    ]);
    await ledger.plans.apply(next, 'newer');
    await ledger.records.settle(record!, created(7, 'a'));
    expect(await ledger.runs.state(next)).toMatchObject({ hasPending: true });
    expect(await ledger.records.claim('newer', ['a'], 60_000)).toMatchObject([
      { knows: 'known', item: { cmsId: 7, delivered: { title: 'a' } }, desired: { title: 'new' }, open: [] },
    ]);
  });

  test('Only delivered records that a run has not seen are missing', async () => {
    const run = await stageCreates('missing', ['a', 'b', 'c']);
    await ledger.plans.apply(run, 'missing');
    const claimed = await ledger.records.claim('missing', ['a', 'b'], 60_000);
    for (const [index, record] of claimed.entries())
      await ledger.records.settle(record, created(100 + index, record.key));
    await ledger.runs.finish(run);
    const next = await ledger.runs.begin('missing', 'run');
    await ledger.plans.add([{ run: next, key: 'a', op: 'unchanged', place: 'line 1' }]);
    expect(await ledger.plans.countMissing(next, 'missing', {})).toEqual({ covered: 2, missing: 1, newly: 1 });
    expect(await ledger.plans.countDelivered('missing')).toBe(2);
    expect([...(await ledger.records.ownersOf('events', [100, 101, 999])).keys()].sort()).toEqual([100, 101]);
  });

  test('An upload is recognised by target, attribute and content', async () => {
    const key = { targetId: 'site', attribute: 'image', sha256: 'abc' };
    await ledger.files.addUpload(key, '/files/1.png');
    expect(await second.files.findUpload(key)).toBe('/files/1.png');
    expect(await second.files.findUpload({ ...key, attribute: 'brochure' })).toBeUndefined();
    await second.files.addUpload(key, '/files/2.png');
    expect(await ledger.files.findUpload(key)).toBe('/files/2.png');
  });
});
