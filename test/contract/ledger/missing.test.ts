import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Payload } from '../../../src/core/record.ts';
import { zeroCounts } from '../../../src/core/run.ts';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { StagedRow } from '../../../src/ledger/database/schema.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { MissingAction } from '../../../src/ledger/plans/missing-records.ts';
import type { DeliveryResult } from '../../../src/ledger/records/delivery-result.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

// What every ledger owes to records that the source has no more, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('Missing records and held plans on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;

  beforeAll(() => {
    ledger = opened.ledger;
  });

  const receipt = { location: 'a.csv', bytes: 1, sha256: 'abc', durationMs: 1, complete: true };
  const DELETE: MissingAction = { op: 'delete', after: { runs: 1 } };

  function row(run: string, key: string, more: Partial<StagedRow> = {}): StagedRow {
    const content = { desired: `{"title":"${key}"}`, attachments: '[]', hash: `h-${key}`, changed: '["title"]' };
    return { run, key, op: 'create', place: 'line 1', resource: 'events', ...content, ...more };
  }

  const delivered = (cmsId: number, is: 'created' | 'updated', attributesBeforeMark?: Payload): DeliveryResult => {
    return {
      is,
      cmsId,
      attributesBeforeMark: attributesBeforeMark ?? null,
      delivered: {},
      deliveredAttachments: {},
      uploads: 0,
    };
  };

  let lastId = 0;

  /** Records that the CMS has, with their first and last days. */
  async function deliver(sync: string, days: Record<string, [starts: string | null, ends: string | null]>) {
    const run = await ledger.runs.begin(sync, 'run');
    const rows = Object.entries(days).map(([key, [starts_on, ends_on]]) => row(run, key, { starts_on, ends_on }));
    await ledger.plans.add(rows);
    await ledger.plans.apply(run, sync);
    for (const record of await ledger.records.claim(sync, Object.keys(days), 60_000)) {
      lastId += 1;
      await ledger.records.settle(record, delivered(lastId, 'created'));
    }
    await ledger.plans.discard(run);
    await ledger.runs.finish(run);
  }

  /** Begins a run that has read its feed and seen these keys in it. */
  async function see(sync: string, keys: string[]): Promise<string> {
    const run = await ledger.runs.begin(sync, 'run');
    await ledger.runs.record(run, { counts: { ...zeroCounts(), read: keys.length }, receipt, warnings: [] });
    await ledger.plans.add(keys.map((key) => ({ run, key, op: 'unchanged', place: 'line 1' })));
    return run;
  }

  async function end(run: string): Promise<void> {
    await ledger.plans.discard(run);
    await ledger.runs.finish(run);
  }

  test('Only records within the scope of a reading are counted and staged', async () => {
    await deliver('answered', {
      over: ['2026-01-01', '2026-01-05'],
      now: ['2026-01-30', '2026-02-02'],
      soon: ['2026-02-20', null],
      far: ['2027-05-01', '2027-05-01'],
      undated: [null, null],
    });
    const run = await see('answered', ['soon']);
    const year = { from: '2026-02-01', to: '2026-12-31' };
    expect(await ledger.plans.countMissing(run, 'answered', year)).toEqual({ covered: 3, missing: 2, newly: 2 });
    expect(await ledger.plans.countMissing(run, 'answered', {})).toEqual({ covered: 5, missing: 4, newly: 4 });
    expect(await ledger.plans.stageMissing(run, 'answered', year, DELETE)).toBe(2);
    expect((await Array.fromAsync(ledger.plans.changes(run, 'answered'))).flat()).toMatchObject([
      { key: 'now', op: 'delete', cmsId: 2 },
      { key: 'undated', op: 'delete' },
    ]);
    await end(run);
  });

  test('A reading of some days says nothing about records of others', async () => {
    await deliver('days', { past: ['2026-01-01', null], now: ['2026-02-01', null], soon: ['2026-03-01', null] });
    const run = await see('days', ['now']);
    await ledger.plans.apply(run, 'days', { provesAbsence: { from: '2026-02-01' } });
    await end(run);
    const states = await Promise.all(['past', 'now', 'soon'].map((key) => ledger.records.state('days', key)));
    expect(states.map((state) => state?.missingSince !== undefined)).toEqual([false, false, true]);
  });

  test('What the source has deleted is staged if it may be in the CMS', async () => {
    await deliver('deletes', { a: [null, null], b: [null, null] });
    const run = await see('deletes', ['b']);
    expect(await ledger.plans.stageDeleted(run, 'deletes', ['a', 'never delivered'], DELETE)).toEqual(['a']);
    expect(await ledger.plans.stageDeleted(run, 'deletes', [], DELETE)).toEqual([]);
    expect((await Array.fromAsync(ledger.plans.changes(run, 'deletes'))).flat()).toMatchObject([
      { key: 'a', op: 'delete' },
    ]);
    await end(run);
  });

  test('A record is missing after enough complete readings, and is cleared once it is seen', async () => {
    await deliver('waits', { a: [null, null], b: [null, null] });
    const afterThree: MissingAction = { op: 'delete', after: { runs: 3 } };
    const readOnce = async (keys: string[], answered?: object) => {
      const run = await see('waits', keys);
      const staged = answered ? await ledger.plans.stageMissing(run, 'waits', {}, afterThree) : 0;
      await ledger.plans.apply(run, 'waits', answered ? { provesAbsence: {} } : {});
      await end(run);
      return staged;
    };
    expect(await ledger.plans.hasMissing('waits', {}, 'delete')).toBe(false);
    expect(await readOnce(['b'], {})).toBe(0);
    expect(await ledger.plans.hasMissing('waits', {}, 'delete')).toBe(true);
    expect((await ledger.records.state('waits', 'a'))?.missingSince).toMatch(/^\d{4}-.*Z$/);
    // A reading that proves nothing counts for nothing, but what it has is there.
    expect(await readOnce(['b'])).toBe(0);
    expect(await readOnce(['a'])).toBe(0);
    expect(await ledger.plans.hasMissing('waits', {}, 'delete')).toBe(false);
    expect(await readOnce(['b'], {})).toBe(0);
    expect(await readOnce(['b'], {})).toBe(0);
    expect(await readOnce(['b'], {})).toBe(1);
    expect(await ledger.plans.stageMissing('none', 'waits', {}, { op: 'delete', after: { ms: 3_600_000 } })).toBe(0);
    expect(await ledger.plans.stageMissing('none', 'waits', {}, { op: 'delete', after: { ms: 1 } })).toBe(1);
  });

  test('A record is no longer missing once it is recognised under a new key', async () => {
    await deliver('moves', { old: [null, null] });
    const away = await see('moves', []);
    await ledger.plans.apply(away, 'moves', { provesAbsence: {} });
    await end(away);
    const back = await see('moves', []);
    await ledger.plans.add([{ run: back, key: 'new', op: 'unchanged', place: 'line 1', previous_key: 'old' }]);
    await ledger.plans.apply(back, 'moves', { provesAbsence: {} });
    await end(back);
    expect(await ledger.records.state('moves', 'new')).toMatchObject({ cmsId: lastId });
    expect((await ledger.records.state('moves', 'new'))?.missingSince).toBeUndefined();
  });

  /** The call that marks an item, whose status was this. */
  const marking = (status: string | null) => {
    const state = { isAdopted: false, madeByCms: {}, editorState: {}, attributesBeforeMark: { status } };
    const marked = { ...state, cmsId: 1, delivered: {}, base: {}, deliveredAttachments: {} };
    return { method: 'PATCH' as const, body: { status: 'gone' }, before: { status }, marked };
  };

  test('A mark is written once, and again only if it differs', async () => {
    await deliver('marks', { a: [null, null] });
    const mark = (value: string): MissingAction => {
      return { op: 'mark', mark: { attributes: { status: value }, hash: value }, after: { runs: 1 } };
    };
    const run = await see('marks', []);
    expect(await ledger.plans.stageMissing(run, 'marks', {}, mark('gone'))).toBe(1);
    expect(await ledger.plans.summarise(run)).toMatchObject({ removals: 1, counts: { missing: 1 } });
    await ledger.plans.apply(run, 'marks', { provesAbsence: {} });
    const [record] = await ledger.records.claim('marks', ['a'], 60_000);
    if (!record) throw new Error('there is nothing to do');
    expect(record).toMatchObject({
      ...{ goal: { is: 'exactly', as: 'mark' }, desired: { status: 'gone' }, item: { attributesBeforeMark: null } },
    });
    await ledger.records.sending(record, marking(null));
    await ledger.records.settle(record, delivered(1, 'updated', { status: null }));
    await end(run);
    expect(await ledger.runs.report(run)).toMatchObject({ counts: { marked: 1, unremoved: 0 } });
    expect((await ledger.plans.known('marks', ['a'])).get('a')).toMatchObject({ marked: { status: null } });

    expect(await ledger.plans.hasMissing('marks', {}, 'mark')).toBe(false);
    expect(await ledger.plans.hasMissing('marks', {}, 'delete')).toBe(true);
    const next = await see('marks', []);
    expect(await ledger.plans.countMissing(next, 'marks', {})).toEqual({ covered: 0, missing: 0, newly: 0 });
    expect(await ledger.plans.countRemoved(next, 'marks')).toBe(1);
    expect(await ledger.plans.stageMissing(next, 'marks', {}, mark('gone'))).toBe(0);
    expect(await ledger.plans.stageMissing(next, 'marks', {}, mark('Gone.'))).toBe(1);
    expect(await ledger.plans.countMissing(next, 'marks', {})).toEqual({ covered: 1, missing: 1, newly: 1 });
    await end(next);
  });

  test('A mark that the CMS refuses does not count as written', async () => {
    await deliver('refused', { a: [null, null] });
    const run = await see('refused', []);
    const mark = { attributes: { status: 'gone' }, hash: 'gone' };
    await ledger.plans.stageMissing(run, 'refused', {}, { op: 'mark', mark, after: { runs: 1 } });
    await ledger.plans.apply(run, 'refused', { provesAbsence: {} });
    const [record] = await ledger.records.claim('refused', ['a'], 60_000);
    if (!record) throw new Error('there is nothing to do');
    await ledger.records.sending(record, marking('on'));
    const refusal = { code: 'FF_CMS_UNPROCESSABLE' as const, reason: 'no', uploads: 0 };
    const sent = { method: 'PATCH' as const, attributes: ['status'] };
    await ledger.records.settle(record, { is: 'failed', ...refusal, sent });
    await end(run);
    expect((await ledger.plans.known('refused', ['a'])).get('a')?.marked).toBeUndefined();
  });

  test('A removed record is no longer desired, and is created when it is desired again', async () => {
    await deliver('removed', { a: [null, null] });
    const run = await see('removed', []);
    await ledger.plans.stageMissing(run, 'removed', {}, DELETE);
    await ledger.plans.apply(run, 'removed', { provesAbsence: {} });
    const [record] = await ledger.records.claim('removed', ['a'], 60_000);
    await ledger.records.sending(record!, { method: 'DELETE', body: null, before: {} });
    // While the delete is under way the source has the record again, as it was.
    await end(run);
    const next = await ledger.runs.begin('removed', 'run');
    await ledger.plans.add([row(next, 'a', { op: 'update' })]);
    await ledger.plans.apply(next, 'removed');
    expect((await ledger.plans.known('removed', ['a'])).get('a')).toMatchObject({
      isUnconfirmed: true,
      mayBeGone: true,
    });
    expect(await ledger.records.settle(record!, { is: 'removed', uploads: 0 })).toBe(true);
    expect(await ledger.records.claim('removed', ['a'], 60_000)).toMatchObject([
      { goal: { is: 'have' }, knows: 'none' },
    ]);
    await end(next);
  });

  test('One plan of a sync waits until another is held or applied', async () => {
    // The clock of a ledger may go back: the run that ended last has the later plan.
    const hold = async (keys: string[], clock = 0) => {
      const run = await see('held', []);
      const { db } = await openDatabase(opened);
      await sql`update runs set started_at = started_at + ${clock} where id = ${run}`.execute(db);
      await db.destroy();
      await ledger.plans.add(keys.map((key) => row(run, key, { op: 'delete', desired: null })));
      await ledger.plans.keepHeld(run, ['delete']);
      await ledger.runs.finish(run, { status: 'held', code: 'FF_GUARD_MISSING', message: 'too many' });
      await ledger.plans.discard(run);
      await ledger.plans.replaceHeld('held', run);
      return run;
    };
    const first = await hold(['a', 'b'], 100_000);
    expect(await ledger.plans.heldPlan('held')).toMatchObject({ run: first });
    expect(await ledger.plans.waitingChange('held', 'a')).toEqual({ run: first, op: 'delete' });
    expect(await ledger.plans.waitingChange('held', 'other')).toBeUndefined();
    const same = await hold(['b', 'a']);
    expect(await ledger.plans.heldPlans()).toMatchObject([{ run: same, sync: 'held' }]);
    expect(await ledger.plans.heldSet(same)).toBe(await ledger.plans.heldSet(first));
    const other = await hold(['a']);
    expect(await ledger.plans.heldSet(other)).not.toBe(await ledger.plans.heldSet(first));

    const begun = await ledger.runs.lastBegun('held');
    await ledger.runs.addRejections(other, 0, [{ at: 'line 9', code: 'FF_RECORD_VALUE', reason: 'no date' }]);
    const approval = await ledger.runs.begin('held', 'approve');
    await ledger.plans.handOver(other, approval);
    expect(await ledger.plans.heldPlans()).toMatchObject([{ run: other }]);
    expect((await ledger.runs.report(approval)).rejections).toMatchObject([{ at: 'line 9' }]);
    // It is a run like others, but for what it reads.
    expect(await ledger.runs.find(approval)).toMatchObject({ kind: 'run' });
    expect(await ledger.runs.underWay()).toEqual([{ run: approval, sync: 'held', kind: 'approval' }]);
    expect(await ledger.runs.lastBegun('held')).toMatchObject({ run: begun?.run });
    expect(await ledger.plans.summarise(approval)).toMatchObject({ removals: 1 });
    await ledger.plans.discard(approval);
    expect(await ledger.plans.heldPlan('held')).toMatchObject({ run: other });
    await end(approval);
    const second = await ledger.runs.begin('held', 'approve');
    await ledger.plans.handOver(other, second);
    await ledger.plans.apply(second, 'held');
    expect(await ledger.plans.heldPlan('held')).toBeUndefined();
    await end(second);
  });
});
