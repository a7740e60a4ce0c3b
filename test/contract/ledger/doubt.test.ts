import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Payload, UNKNOWN } from '../../../src/core/record.ts';
import { thisMachine } from '../../../src/core/runtime/process-name.ts';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { Sent } from '../../../src/ledger/history/deliveries.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { ClaimedRecord } from '../../../src/ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../../src/ledger/records/delivery-result.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const posted: Sent = { method: 'POST', attributes: ['title'] };
const undelivered = { code: 'FF_CMS_TIMEOUT', reason: 'no answer', uploads: 0 } as const;
const inDoubt: DeliveryResult = { ...undelivered, is: 'retry', afterMs: -1000, createUnconfirmed: true };
const notSent: DeliveryResult = { ...undelivered, is: 'retry', afterMs: -1000, createUnconfirmed: false };
const heldInDoubt: DeliveryResult = { ...undelivered, is: 'held', createUnconfirmed: true };

// What every ledger remembers of creates that may have been applied, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('Unconfirmed creates in a ledger on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;

  beforeAll(() => {
    ledger = opened.ledger;
  });

  /** A run that wants the record to have this title. */
  async function desire(sync: string, title: string, key = 'a'): Promise<void> {
    const run = await ledger.runs.begin(sync, 'run');
    const row = {
      run,
      key,
      op: 'create',
      place: 'line 1',
      resource: 'events',
      attachments: '[]',
      changed: '[]',
    } as const;
    await ledger.plans.add([{ ...row, desired: JSON.stringify({ title }), hash: `h-${title}` }]);
    await ledger.plans.apply(run, sync);
    await ledger.runs.finish(run);
  }

  async function claim(sync: string, leaseMs = 60_000, key = 'a'): Promise<ClaimedRecord> {
    const [record] = await ledger.records.claim(sync, [key], leaseMs);
    if (!record) throw new Error('nothing was claimed');
    return record;
  }

  /** What the next claim is given about earlier creates. */
  async function nextClaim(
    sync: string,
  ): Promise<{ desired: Payload; createUnconfirmed: boolean; doubted: Payload[] | null }> {
    const record = await claim(sync);
    await ledger.records.release([record]);
    const { desired, createUnconfirmed, unconfirmedPayloads } = record;
    return { desired, createUnconfirmed, doubted: unconfirmedPayloads };
  }

  const v = (number: number): Payload => ({ title: `v${number}` });

  test('No payload is kept of a confirmed record, or of one whose source has not changed', async () => {
    await desire('plain', 'v1');
    expect(await nextClaim('plain')).toEqual({ desired: v(1), createUnconfirmed: false, doubted: null });
    await desire('plain', 'v2');
    expect(await nextClaim('plain')).toEqual({ desired: v(2), createUnconfirmed: false, doubted: null });
    await ledger.records.settle(await claim('plain'), { ...inDoubt, sent: posted });
    await desire('plain', 'v2');
    expect(await nextClaim('plain')).toEqual({ desired: v(2), createUnconfirmed: true, doubted: [v(2)] });
  });

  test('The payload of an unconfirmed create is kept until it is resolved, however often the source changes', async () => {
    await desire('kept', 'v1');
    await ledger.records.settle(await claim('kept'), { ...heldInDoubt, sent: posted });
    await desire('kept', 'v2');
    await desire('kept', 'v3');
    const record = await claim('kept');
    expect(record).toMatchObject({ desired: v(3), createUnconfirmed: true, unconfirmedPayloads: [v(1)] });
    // A search without a clear result sends nothing: v3 is not in doubt.
    await ledger.records.settle(record, heldInDoubt);
    await desire('kept', 'v4');
    expect(await nextClaim('kept')).toMatchObject({ desired: v(4), doubted: [v(1)] });

    await ledger.records.settle(await claim('kept'), notSent);
    await desire('kept', 'v5');
    expect(await nextClaim('kept')).toEqual({ desired: v(5), createUnconfirmed: false, doubted: null });
  });

  test('A create that is sent again is unconfirmed with its latest payload', async () => {
    await desire('repeated', 'v1');
    await ledger.records.settle(await claim('repeated'), { ...inDoubt, sent: posted });
    await desire('repeated', 'v2');
    await ledger.records.settle(await claim('repeated'), { ...inDoubt, sent: posted });
    await desire('repeated', 'v3');
    expect(await nextClaim('repeated')).toEqual({ desired: v(3), createUnconfirmed: true, doubted: [v(2)] });
  });

  test('A claim that is never settled may have sent its payload', async () => {
    await desire('lapsed', 'v1');
    await claim('lapsed', -1);
    await desire('lapsed', 'v2');
    await claim('lapsed', -1);
    await desire('lapsed', 'v3');
    expect(await nextClaim('lapsed')).toMatchObject({ desired: v(3), createUnconfirmed: true, doubted: [v(1), v(2)] });
  });

  test('A newer reading during a create keeps the payload of the create', async () => {
    await desire('meanwhile', 'v1');
    const first = await claim('meanwhile');
    await desire('meanwhile', 'v2');
    await ledger.records.settle(first, { ...inDoubt, sent: posted });
    expect(await nextClaim('meanwhile')).toEqual({ desired: v(2), createUnconfirmed: true, doubted: [v(1)] });

    const second = await claim('meanwhile');
    await desire('meanwhile', 'v3');
    await ledger.records.settle(second, { ...inDoubt, sent: posted });
    expect(await nextClaim('meanwhile')).toEqual({ desired: v(3), createUnconfirmed: true, doubted: [v(2)] });
  });

  test('A released claim sent nothing', async () => {
    await desire('back', 'v1');
    const record = await claim('back');
    await desire('back', 'v2');
    await ledger.records.release([record]);
    expect(await nextClaim('back')).toEqual({ desired: v(2), createUnconfirmed: false, doubted: null });
  });

  test('What was delivered while a plan was made is not forgotten for what the plan knew', async () => {
    const update = async (title: string, delivered: Payload | null, meanwhile: () => Promise<void>) => {
      const run = await ledger.runs.begin('moved', 'run');
      const row = { run, key: 'a', op: 'update', place: 'line 1', resource: 'events', attachments: '[]' } as const;
      const desired = { ...row, changed: '["title"]', desired: JSON.stringify({ title }), hash: `h-${title}` };
      await ledger.plans.add([{ ...desired, ...(delivered && { delivered: JSON.stringify(delivered) }) }]);
      await meanwhile();
      await ledger.plans.apply(run, 'moved');
      await ledger.runs.finish(run);
    };
    const known = { deliveredAttachments: {}, incomplete: false, uploads: 0 };
    await desire('moved', 'v1');
    const created = await claim('moved');
    await ledger.records.settle(created, { is: 'created', cmsId: 11, delivered: v(1), ...known });
    await update('v2', null, async () => {});
    const late = await claim('moved');
    await update('v3', { title: UNKNOWN }, async () => {
      await ledger.records.settle(late, { is: 'updated', cmsId: 11, delivered: v(2), ...known });
    });
    expect(await claim('moved')).toMatchObject({ desired: v(3), unconfirmedPayloads: [v(2), v(2)] });
  });

  test('What a plan has noted during an attempt is not forgotten when the attempt fails', async () => {
    const known = { deliveredAttachments: {}, incomplete: false, uploads: 0 };
    await desire('noted', 'v1');
    await ledger.records.settle(await claim('noted'), { is: 'created', cmsId: 15, delivered: v(1), ...known });
    await desire('noted', 'v2');
    const attempted = await claim('noted');
    await desire('noted', 'v3');
    await ledger.records.settle(attempted, { ...notSent, sent: { method: 'PATCH', attributes: ['title'] } });
    expect(await claim('noted')).toMatchObject({ desired: v(3), unconfirmedPayloads: [v(1), v(2)] });
  });

  test('A record that is created again is searched for where its item was, too', async () => {
    await desire('recreated', 'v1');
    const known = { deliveredAttachments: {}, incomplete: false, uploads: 0 };
    await ledger.records.settle(await claim('recreated'), { is: 'created', cmsId: 12, delivered: v(1), ...known });
    await desire('recreated', 'v2');
    const deleted = { ...undelivered, is: 'deleted', code: 'FF_CMS_DELETED', recreate: true } as const;
    await ledger.records.settle(await claim('recreated'), { ...deleted, createUnconfirmed: true });
    const again = { cmsId: null, desired: v(2), createUnconfirmed: true, unconfirmedPayloads: [v(1)] };
    expect(await claim('recreated')).toMatchObject(again);
  });

  test('A record whose item was found, and then deleted before it was written, is created again', async () => {
    await desire('found and deleted', 'v1');
    const first = await claim('found and deleted');
    expect(await ledger.records.takeItem(first, 16)).toBe('taken');
    await ledger.records.settle(first, notSent);
    const deleted = { ...undelivered, is: 'deleted', code: 'FF_CMS_DELETED', recreate: true } as const;
    await ledger.records.settle(await claim('found and deleted'), { ...deleted, createUnconfirmed: true });
    const again = { cmsId: null, desired: v(1), createUnconfirmed: true };
    expect(await claim('found and deleted', -1)).toMatchObject(again);
    expect(await claim('found and deleted')).toMatchObject(again);
  });

  test('What a create has sent is remembered if its item was found, and the CMS refused its update', async () => {
    await desire('found and refused', 'v1');
    const first = await claim('found and refused');
    expect(await ledger.records.takeItem(first, 17)).toBe('taken');
    const refused = { ...undelivered, is: 'failed', refused: 'h', createUnconfirmed: false } as const;
    await ledger.records.settle(first, refused);
    await desire('found and refused', 'v2');
    expect(await claim('found and refused')).toMatchObject({
      ...{ cmsId: 17, delivered: null, desired: v(2), unconfirmedPayloads: expect.arrayContaining([v(1)]) },
    });
  });

  test('A newer plan does not overtake what a process that has exited may have sent', async () => {
    await desire('exited', 'v1');
    await ledger.records.settle(await claim('exited'), {
      ...{ is: 'created', cmsId: 14, delivered: v(1), deliveredAttachments: {}, incomplete: false, uploads: 0 },
    });
    await desire('exited', 'v2');
    await claim('exited');
    const { db } = await openDatabase(opened);
    const claim_holder = `${thisMachine}/${process.pid}/gone`;
    await db.updateTable('records').set({ claim_holder }).where('sync', '=', 'exited').execute();
    await db.destroy();
    await ledger.records.releaseExited('exited', 60_000);
    await desire('exited', 'v3');
    expect(await ledger.records.claim('exited', ['a'], 60_000)).toEqual([]);
    expect((await ledger.records.outstanding('exited', ['a'])).dueInMs).toBeGreaterThan(30_000);
  });

  test('What was delivered last is known although the clock went back since', async () => {
    const known = { deliveredAttachments: {}, incomplete: false, uploads: 0 };
    await desire('turned', 'v1', 'b');
    const b = await claim('turned', 60_000, 'b');
    await ledger.records.settle(b, { is: 'created', cmsId: 13, delivered: v(1), ...known });
    const { db } = await openDatabase(opened);
    await db
      .updateTable('records')
      .set('delivered_at', sql`delivered_at + 600000`)
      .where('sync', '=', 'turned')
      .execute();
    await db.destroy();
    await desire('turned', 'v1');
    const last = await ledger.records.deliveredLast(await claim('turned'), '2027-01-01', 5_000);
    expect(last).toEqual([{ key: 'b', cmsId: 13, payload: v(1) }]);
  });

  test('A create that is found is no longer unconfirmed', async () => {
    await desire('arrived', 'v1');
    await ledger.records.settle(await claim('arrived'), { ...inDoubt, sent: posted });
    await desire('arrived', 'v2');
    const record = await claim('arrived');
    const delivered = { delivered: record.desired, deliveredAttachments: {}, incomplete: false, uploads: 0 };
    await ledger.records.settle(record, { is: 'created', cmsId: 7, ...delivered });
    await desire('arrived', 'v3');
    expect(await claim('arrived')).toMatchObject({ cmsId: 7, createUnconfirmed: false, unconfirmedPayloads: null });
  });

  test('The next claim knows since when no earlier create is in flight', async () => {
    await desire('quiet', 'v1');
    const asked = performance.now();
    const first = await claim('quiet');
    expect(first.quietSince).toBeGreaterThanOrEqual(asked);
    await ledger.records.settle(first, { ...inDoubt, afterMs: 20, sent: posted });
    const settled = performance.now();
    await sleep(40);
    const second = await claim('quiet', -1);
    expect(second.quietSince).toBeGreaterThan(asked + 10);
    expect(second.quietSince).toBeLessThan(settled + 30);
    // A claim that lapses may have been used until shortly before.
    const claimed = performance.now();
    const third = await claim('quiet');
    expect(third.quietSince).toBeGreaterThan(settled - 10);
    // Given back unused, it leaves that as it was; each claim may be off by the time that its statement took.
    await ledger.records.release([third]);
    const difference = (await claim('quiet')).quietSince - third.quietSince;
    expect(Math.abs(difference)).toBeLessThan(performance.now() - claimed + 10);
  });

  test('A change of the source does not speed up the look-up of an unconfirmed create', async () => {
    await desire('early', 'v1');
    await ledger.records.settle(await claim('early'), { ...heldInDoubt, afterMs: 60_000, sent: posted });
    await desire('early', 'v2');
    expect(await ledger.records.claim('early', ['a'], 60_000)).toEqual([]);
    expect((await ledger.records.outstanding('early', ['a'])).dueInMs).toBeGreaterThan(30_000);

    await desire('soon', 'v1');
    await ledger.records.settle(await claim('soon'), { ...notSent, afterMs: 60_000 });
    await desire('soon', 'v2');
    expect(await claim('soon')).toMatchObject({ createUnconfirmed: false });
  });

  test('A create that was answered with the item of another record is looked up only when lists must show its own', async () => {
    for (const key of ['a', 'b']) await desire('given', 'v1', key);
    const created = { is: 'created', cmsId: 60, delivered: {}, deliveredAttachments: {}, incomplete: false } as const;
    await ledger.records.settle(await claim('given'), created);
    await ledger.records.settle(await claim('given', 60_000, 'b'), { ...created, unlistedMs: 60_000, sent: posted });
    await desire('given', 'v1', 'b');
    expect((await ledger.records.outstanding('given', ['b'])).dueInMs).toBeGreaterThan(30_000);
  });

  test('Only one record at a time can own an item', async () => {
    for (const key of ['a', 'b']) await desire('twins', 'v1', key);
    const [a, b] = [await claim('twins'), await claim('twins', 60_000, 'b')];
    expect(await ledger.records.takeItem(a, 70)).toBe('taken');
    expect(await opened.second.records.takeItem(b, 70)).toBe('owned');
    expect([...(await ledger.records.owned('events', [70]))]).toEqual([70]);
    expect(await ledger.records.takeItem(b, 71)).toBe('taken');
    await ledger.records.settle(a, heldInDoubt);
    expect(await ledger.records.state('twins', 'a')).toMatchObject({ cmsId: 70 });
    // It was found, but what it has is not known.
    expect((await ledger.plans.known('twins', ['a'])).get('a')).toMatchObject({ cmsId: 70, payload: null });
  });

  test('Concurrent records that want the same item never both get it', async () => {
    const keys = Array.from({ length: 8 }, (_, index) => `k${index}`);
    for (const key of keys) await desire('crowd', 'v1', key);
    const records = await ledger.records.claim('crowd', keys, 60_000);
    const takings = await Promise.all(
      records.map((record, index) => (index % 2 ? ledger : opened.second).records.takeItem(record, 90)),
    );
    const taken = takings.filter((taking) => taking === 'taken').length;
    expect(taken).toBeLessThanOrEqual(1);
    const states = await Promise.all(keys.map((key) => ledger.records.state('crowd', key)));
    expect(states.filter((state) => state?.cmsId === 90)).toHaveLength(taken);
  });

  test('A process that has lost its claim cannot take an item', async () => {
    await desire('late', 'v1');
    const late = await claim('late', -1);
    await claim('late');
    expect(await ledger.records.takeItem(late, 95)).toBe('contested');
    expect((await ledger.records.state('late', 'a'))?.cmsId).toBeUndefined();
  });

  test('A process does not trust the time at which a claim ended before it began', async () => {
    await desire('clock', 'v1');
    const { dataDir, databaseUrl } = opened;
    const other = await openLedger({ dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
    onTestFinished(() => other.close());
    await ledger.records.settle(await claim('clock'), inDoubt);
    // Longer than the answer to a claim takes on a busy machine, by which the end of the last one is taken to be later.
    await sleep(100);
    const before = performance.now();
    const [first] = await other.records.claim('clock', ['a'], 60_000);
    expect(first?.doubtedSince).toBeGreaterThan(before);
    expect(first?.quietSince).toBeLessThan(before);
    // It has seen the end of this one.
    await other.records.settle(first!, { ...inDoubt, afterMs: 0 });
    await sleep(100);
    const [second] = await other.records.claim('clock', ['a'], 60_000);
    expect(second).not.toHaveProperty('doubtedSince');
  });

  test('A pause ends if the clock goes back to before it began', async () => {
    await desire('back', 'v1');
    await ledger.records.settle(await claim('back'), { ...inDoubt, afterMs: 60_000 });
    expect(await ledger.records.claim('back', ['a'], 60_000)).toEqual([]);
    expect((await ledger.records.outstanding('back', ['a'])).dueInMs).toBeGreaterThan(50_000);

    const { dataDir, databaseUrl } = opened;
    const { db } = await openDatabase({ dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
    onTestFinished(() => db.destroy());
    const inAnHour = { retry_at: sql<number>`retry_at + 3600000`, quiet_since: sql<number>`quiet_since + 3600000` };
    await db.updateTable('records').set(inAnHour).where('sync', '=', 'back').execute();
    expect(await ledger.records.outstanding('back', ['a'])).toEqual({ pending: 1, dueInMs: 0 });
    const before = performance.now();
    // Its create may have been sent just now.
    expect((await claim('back')).doubtedSince).toBeGreaterThan(before);
  });
});
