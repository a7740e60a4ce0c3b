import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Payload, UNKNOWN } from '../../../src/core/record.ts';
import { thisMachine } from '../../../src/core/runtime/process-name.ts';
import type { Sent } from '../../../src/ledger/attempts/deliveries.ts';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import { type ClaimedRecord, openOf, type Quiet } from '../../../src/ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../../src/ledger/records/delivery-result.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const posted: Sent = { method: 'POST', attributes: ['title'] };
const undelivered = { code: 'FF_CMS_TIMEOUT', reason: 'no answer', uploads: 0 } as const;
const notSent: DeliveryResult = { ...undelivered, is: 'retry', afterMs: -1000 };
const absent: DeliveryResult = { ...notSent, isAbsent: true };
const held: DeliveryResult = { ...undelivered, is: 'held' };
const inDoubt: DeliveryResult = { ...notSent, doubt: 'sent', sent: posted };
const heldInDoubt: DeliveryResult = { ...held, doubt: 'sent', sent: posted };
const refused: DeliveryResult = { ...undelivered, is: 'failed', refused: 'h', doubt: 'refused', sent: posted };
const known = { deliveredAttachments: {}, uploads: 0 };
const deleted = { is: 'deleted', code: 'FF_CMS_DELETED', reason: 'gone', recreate: true, uploads: 0 } as const;

/** A PATCH of the title, as a worker keeps it before it sends it. */
const patchOf = (title: string) => ({ method: 'PATCH' as const, body: { title }, before: { title: 'before' } });

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
  ): Promise<{ desired: Payload; knows: ClaimedRecord['knows']; sent: Array<Payload | null> }> {
    const record = await claim(sync);
    await ledger.records.release([record]);
    return { desired: record.desired, knows: record.knows, sent: sentBy(record) };
  }

  /** What earlier attempts may have sent; null: what is desired. */
  function sentBy(record: ClaimedRecord): Array<Payload | null> {
    return openOf(record).map(({ body }) => body);
  }

  /** Since when no request of an earlier claim of a record in doubt is under way. */
  function quietOf(record: ClaimedRecord): Quiet {
    if (!('quiet' in record)) throw new Error(`"${record.key}" is not in doubt`);
    return record.quiet;
  }

  const v = (number: number): Payload => ({ title: `v${number}` });

  test('No payload is kept of a confirmed record, or of one whose source has not changed', async () => {
    await desire('plain', 'v1');
    expect(await nextClaim('plain')).toEqual({ desired: v(1), knows: 'none', sent: [] });
    await desire('plain', 'v2');
    expect(await nextClaim('plain')).toEqual({ desired: v(2), knows: 'none', sent: [] });
    await ledger.records.settle(await claim('plain'), inDoubt);
    await desire('plain', 'v2');
    expect(await nextClaim('plain')).toEqual({ desired: v(2), knows: 'maybe', sent: [null] });
  });

  test('The payload of an unconfirmed create is kept until it is resolved, however often the source changes', async () => {
    await desire('kept', 'v1');
    await ledger.records.settle(await claim('kept'), heldInDoubt);
    await desire('kept', 'v2');
    await desire('kept', 'v3');
    const record = await claim('kept');
    expect(record).toMatchObject({ desired: v(3), knows: 'maybe', open: [{ method: 'POST', body: v(1) }] });
    // A search without a clear result sends nothing: v3 is not in doubt.
    await ledger.records.settle(record, held);
    await desire('kept', 'v4');
    expect(await nextClaim('kept')).toEqual({ desired: v(4), knows: 'maybe', sent: [v(1)] });

    await ledger.records.settle(await claim('kept'), absent);
    await desire('kept', 'v5');
    expect(await nextClaim('kept')).toEqual({ desired: v(5), knows: 'none', sent: [] });
  });

  test('A create that is sent again adds what it has sent, and once it was proven that no item exists, only that is open', async () => {
    await desire('repeated', 'v1');
    await ledger.records.settle(await claim('repeated'), inDoubt);
    await desire('repeated', 'v2');
    await ledger.records.settle(await claim('repeated'), inDoubt);
    await desire('repeated', 'v3');
    expect(await nextClaim('repeated')).toEqual({ desired: v(3), knows: 'maybe', sent: [v(1), v(2)] });
    await ledger.records.settle(await claim('repeated'), { ...inDoubt, isAbsent: true });
    await desire('repeated', 'v4');
    expect(await nextClaim('repeated')).toEqual({ desired: v(4), knows: 'maybe', sent: [v(3)] });
  });

  test('The same create, sent any number of times, is one open attempt', async () => {
    await desire('persistent', 'v1');
    for (let turn = 0; turn < 3; turn += 1) await ledger.records.settle(await claim('persistent'), inDoubt);
    expect(await nextClaim('persistent')).toEqual({ desired: v(1), knows: 'maybe', sent: [null] });
    expect(await ledger.history.deliveries('persistent', 'a')).toHaveLength(3);
  });

  test('A create that the CMS answered with an error is looked up, but counts as absent', async () => {
    await desire('answered', 'v1');
    await ledger.records.settle(await claim('answered'), refused);
    expect(await ledger.records.state('answered', 'a')).toMatchObject({ status: 'failed', maybeSent: false });
    await desire('answered', 'v2');
    const second = await claim('answered');
    expect(second).toMatchObject({ knows: 'refused', open: [{ method: 'POST', doubt: 'refused', body: v(1) }] });
    // While its own create may be under way, the record may have an item.
    expect(await ledger.records.state('answered', 'a')).toMatchObject({ maybeSent: true });
    await ledger.records.release([second]);
    expect(await ledger.records.state('answered', 'a')).toMatchObject({ maybeSent: false });
    // One create without an answer among them: it is in doubt.
    await ledger.records.settle(await claim('answered'), inDoubt);
    expect(await nextClaim('answered')).toEqual({ desired: v(2), knows: 'maybe', sent: [v(1), null] });
  });

  test('A claim that is never settled may have sent its payload', async () => {
    await desire('lapsed', 'v1');
    await claim('lapsed', -1);
    await desire('lapsed', 'v2');
    await claim('lapsed', -1);
    await desire('lapsed', 'v3');
    expect(await nextClaim('lapsed')).toEqual({ desired: v(3), knows: 'maybe', sent: [v(1), v(2)] });
  });

  test('A newer reading during a create keeps the payload of the create', async () => {
    await desire('meanwhile', 'v1');
    const first = await claim('meanwhile');
    await desire('meanwhile', 'v2');
    await ledger.records.settle(first, inDoubt);
    expect(await nextClaim('meanwhile')).toEqual({ desired: v(2), knows: 'maybe', sent: [v(1)] });

    const second = await claim('meanwhile');
    await desire('meanwhile', 'v3');
    await ledger.records.settle(second, inDoubt);
    expect(await nextClaim('meanwhile')).toEqual({ desired: v(3), knows: 'maybe', sent: [v(1), v(2)] });
  });

  test('A released claim sent nothing', async () => {
    await desire('back', 'v1');
    const record = await claim('back');
    await desire('back', 'v2');
    await ledger.records.release([record]);
    expect(await nextClaim('back')).toEqual({ desired: v(2), knows: 'none', sent: [] });
  });

  // What is known of an item follows from its open attempts: there are none, so the record has no item.
  test('A claim that is released after it has lapsed leaves no doubt', async () => {
    await desire('released late', 'v1');
    await ledger.records.release([await claim('released late', -1)]);
    expect(await ledger.records.state('released late', 'a')).toMatchObject({ maybeSent: false });
  });

  test('An update without an answer stays open, with what it has sent and the item before, until the item is confirmed', async () => {
    await desire('update', 'v1');
    await ledger.records.settle(await claim('update'), { is: 'created', cmsId: 18, delivered: v(1), ...known });
    await desire('update', 'v2');
    // Nothing is open before the call is kept, and nothing once it is known that it did not leave.
    const first = await claim('update');
    expect(first).toMatchObject({ knows: 'known', open: [] });
    expect(await ledger.records.sending(first, patchOf('v2'))).toBe(true);
    await ledger.records.settle(first, notSent);
    const second = await claim('update');
    expect(second).toMatchObject({ knows: 'known', open: [] });
    expect(await ledger.records.sending(second, patchOf('v2'))).toBe(true);
    await ledger.records.settle(second, { ...inDoubt, sent: { method: 'PATCH', attributes: ['title'] } });
    await desire('update', 'v3');
    const third = await claim('update');
    const unanswered = { method: 'PATCH', doubt: 'sent', body: v(2), before: { title: 'before' } };
    expect(third).toMatchObject({ knows: 'known', item: { cmsId: 18, delivered: v(1) }, open: [unanswered] });
    expect((await ledger.plans.known('update', ['a'])).get('a')).toMatchObject({
      ...{ isUnconfirmed: true, payload: { title: UNKNOWN } },
    });
    await ledger.records.settle(third, { is: 'updated', cmsId: 18, delivered: v(3), ...known });
    await desire('update', 'v4');
    expect(await claim('update')).toMatchObject({ knows: 'known', open: [] });
  });

  test('A delete without an answer is open until the item is seen', async () => {
    await desire('gone', 'v1');
    await ledger.records.settle(await claim('gone'), { is: 'created', cmsId: 19, delivered: v(1), ...known });
    await desire('gone', 'v2');
    const first = await claim('gone');
    await ledger.records.sending(first, { method: 'DELETE', body: null, before: v(1) });
    await ledger.records.settle(first, { ...inDoubt, sent: { method: 'DELETE', attributes: [] } });
    const second = await claim('gone');
    expect(second).toMatchObject({
      knows: 'maybeGone',
      item: { cmsId: 19 },
      open: [{ method: 'DELETE', before: v(1) }],
    });
    await ledger.records.settle(second, { is: 'updated', cmsId: 19, delivered: v(2), ...known });
    await desire('gone', 'v3');
    expect(await claim('gone')).toMatchObject({ knows: 'known', open: [] });
  });

  test('A call of a claim that has lapsed is not kept, so nothing is sent', async () => {
    await desire('too late', 'v1');
    await ledger.records.settle(await claim('too late'), { is: 'created', cmsId: 20, delivered: v(1), ...known });
    await desire('too late', 'v2');
    const late = await claim('too late', -1);
    expect(await ledger.records.sending(late, patchOf('v2'))).toBe(false);
    expect(await claim('too late')).toMatchObject({ knows: 'known', open: [] });
  });

  test('What was delivered while a plan was made is not forgotten for what the plan knew', async () => {
    await desire('moved', 'v1');
    await ledger.records.settle(await claim('moved'), { is: 'created', cmsId: 11, delivered: v(1), ...known });
    await desire('moved', 'v2');
    const late = await claim('moved');
    await ledger.records.sending(late, patchOf('v2'));
    const run = await ledger.runs.begin('moved', 'run');
    // The plan saw the PATCH under way.
    const delivered = { delivered: { title: UNKNOWN }, deliveredAttachments: {}, changed: ['title'] };
    await ledger.plans.stageAgain(run, 'moved', [{ key: 'a', desired: v(3), ...delivered }]);
    await ledger.records.settle(late, { is: 'updated', cmsId: 11, delivered: v(2), ...known });
    await ledger.plans.apply(run, 'moved');
    await ledger.runs.finish(run);
    expect(await claim('moved')).toMatchObject({
      ...{ desired: v(3), knows: 'known', item: { delivered: { title: UNKNOWN } }, open: [] },
    });
  });

  test('What was sent before a plan was applied is not forgotten when the attempt fails', async () => {
    await desire('noted', 'v1');
    await ledger.records.settle(await claim('noted'), { is: 'created', cmsId: 15, delivered: v(1), ...known });
    await desire('noted', 'v2');
    const attempted = await claim('noted');
    await ledger.records.sending(attempted, patchOf('v2'));
    await desire('noted', 'v3');
    await ledger.records.settle(attempted, { ...inDoubt, sent: { method: 'PATCH', attributes: ['title'] } });
    expect(await claim('noted')).toMatchObject({ desired: v(3), item: { delivered: v(1) }, open: [{ body: v(2) }] });
  });

  test('A record that is created again is searched for where its item was, too', async () => {
    await desire('recreated', 'v1');
    await ledger.records.settle(await claim('recreated'), { is: 'created', cmsId: 12, delivered: v(1), ...known });
    await desire('recreated', 'v2');
    await ledger.records.settle(await claim('recreated'), deleted);
    const again = { desired: v(2), knows: 'maybe', open: [{ method: null, doubt: 'elsewhere', body: v(1) }] };
    expect(await claim('recreated')).toMatchObject(again);
  });

  test('A record whose item was found, and then deleted before it was written, is created again', async () => {
    await desire('found and deleted', 'v1');
    const first = await claim('found and deleted');
    expect(await ledger.records.takeItem(first, 16)).toBe('taken');
    await ledger.records.settle(first, notSent);
    await ledger.records.settle(await claim('found and deleted'), deleted);
    const again = { desired: v(1), knows: 'maybe', open: [{ doubt: 'elsewhere', body: null }] };
    expect(await claim('found and deleted', -1)).toMatchObject(again);
    expect(await claim('found and deleted')).toMatchObject({ desired: v(1), knows: 'maybe' });
  });

  test('What a create has sent is remembered if its item was found, and the CMS refused its update', async () => {
    await desire('found and refused', 'v1');
    await claim('found and refused', -1);
    const first = await claim('found and refused');
    expect(await ledger.records.takeItem(first, 17)).toBe('taken');
    await ledger.records.settle(first, { ...undelivered, is: 'failed', refused: 'h' });
    await desire('found and refused', 'v2');
    const record = await claim('found and refused');
    expect(record).toMatchObject({ desired: v(2), knows: 'found', item: { cmsId: 17, delivered: null } });
    expect(sentBy(record)).toEqual([v(1)]);
  });

  test('A newer plan does not overtake what a process that has exited may have sent', async () => {
    await desire('exited', 'v1');
    await ledger.records.settle(await claim('exited'), {
      ...{ is: 'created', cmsId: 14, delivered: v(1), deliveredAttachments: {}, uploads: 0 },
    });
    await desire('exited', 'v2');
    await ledger.records.sending(await claim('exited'), patchOf('v2'));
    const { db } = await openDatabase(opened);
    const holder = `${thisMachine}/${process.pid}/gone`;
    await db.updateTable('claims').set({ holder }).where('sync', '=', 'exited').execute();
    await db.destroy();
    await ledger.records.releaseExited('exited', 60_000);
    await desire('exited', 'v3');
    expect(await ledger.records.claim('exited', ['a'], 60_000)).toEqual([]);
    expect((await ledger.records.outstanding('exited', ['a'])).dueInMs).toBeGreaterThan(30_000);
  });

  test('What was delivered last is known although the clock went back since', async () => {
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
    const last = await ledger.records.confirmedLast(await claim('turned'), {
      ...{ target: 'cms', since: '2027-01-01', beforeMs: 5_000 },
    });
    expect(last).toEqual([{ sync: 'turned', key: 'b', cmsId: 13, payload: v(1) }]);
  });

  test('A create that is found is no longer unconfirmed', async () => {
    await desire('arrived', 'v1');
    await ledger.records.settle(await claim('arrived'), inDoubt);
    await desire('arrived', 'v2');
    const record = await claim('arrived');
    await ledger.records.settle(record, { is: 'created', cmsId: 7, delivered: record.desired, ...known });
    await desire('arrived', 'v3');
    expect(await claim('arrived')).toMatchObject({ knows: 'known', item: { cmsId: 7 }, open: [] });
  });

  test('The next claim knows since when no earlier create is in flight', async () => {
    await desire('quiet', 'v1');
    const asked = performance.now();
    await ledger.records.settle(await claim('quiet'), { ...inDoubt, is: 'retry', afterMs: 20 });
    const settled = performance.now();
    await sleep(40);
    const asking = performance.now();
    const second = quietOf(await claim('quiet', -1));
    expect(second.since).toBeGreaterThan(asked + 10);
    // The moment may be off by the time that the statement of the claim took.
    expect(second.since).toBeLessThan(settled + 30 + performance.now() - asking);
    // A claim that lapses may have been used until shortly before.
    const claimed = performance.now();
    const third = await claim('quiet');
    expect(quietOf(third).since).toBeGreaterThan(settled - 10);
    // Given back unused, it leaves that as it was; each claim may be off by the time that its statement took.
    await ledger.records.release([third]);
    const difference = quietOf(await claim('quiet')).since - quietOf(third).since;
    expect(Math.abs(difference)).toBeLessThan(performance.now() - claimed + 10);
  });

  test('A change of the source does not speed up the look-up of an unconfirmed create', async () => {
    await desire('early', 'v1');
    await ledger.records.settle(await claim('early'), { ...heldInDoubt, is: 'held', afterMs: 60_000 });
    await desire('early', 'v2');
    expect(await ledger.records.claim('early', ['a'], 60_000)).toEqual([]);
    expect((await ledger.records.outstanding('early', ['a'])).dueInMs).toBeGreaterThan(30_000);

    await desire('soon', 'v1');
    await ledger.records.settle(await claim('soon'), { ...notSent, is: 'retry', afterMs: 60_000 });
    await desire('soon', 'v2');
    expect(await claim('soon')).toMatchObject({ knows: 'none' });
  });

  test('A create that was answered with the item of another record is looked up only when lists must show its own', async () => {
    for (const key of ['a', 'b']) await desire('given', 'v1', key);
    const created = { is: 'created', cmsId: 60, delivered: {}, deliveredAttachments: {} } as const;
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
    expect([...(await ledger.records.ownersOf('events', [70])).keys()]).toEqual([70]);
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

  // Of two records that take an item at the same moment, one gives it up again: `contested`, not an error of the ledger.
  // In SQLite, one transaction writes at a time.
  const inPostgres: typeof test | (() => void) = engine === 'postgresql' ? test : () => {};
  inPostgres('A record that takes an item at the same moment as another one gives it up', async () => {
    for (const key of ['a', 'b']) await desire('contest', 'v1', key);
    const [a, b] = [await claim('contest'), await claim('contest', 60_000, 'b')];
    const { db } = await openDatabase(opened);
    onTestFinished(() => db.destroy());
    const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lock = db.transaction().execute(async (transaction) => {
      await transaction.updateTable('records').set({ place: 'line 2' }).where('key', '=', 'b').execute();
      locked.resolve();
      await free.promise;
    });
    await locked.promise;
    // It does not see who takes the item while it waits for its record.
    const late = opened.second.records.takeItem(b, 96);
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await waiting.execute(db)).rows.length === 0) await sleep(5);
    expect(await ledger.records.takeItem(a, 96)).toBe('taken');
    free.resolve();
    expect(await Promise.all([late, lock])).toEqual(['contested', undefined]);
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
    expect(quietOf(first!).doubtedSince).toBeGreaterThan(before);
    expect(quietOf(first!).since).toBeLessThan(before);
    // It has seen the end of this one.
    await other.records.settle(first!, { ...inDoubt, is: 'retry', afterMs: 0 });
    await sleep(100);
    const [second] = await other.records.claim('clock', ['a'], 60_000);
    expect(quietOf(second!)).not.toHaveProperty('doubtedSince');
  });

  test('A pause ends if the clock goes back to before it began', async () => {
    await desire('clock back', 'v1');
    await ledger.records.settle(await claim('clock back'), { ...inDoubt, is: 'retry', afterMs: 60_000 });
    expect(await ledger.records.claim('clock back', ['a'], 60_000)).toEqual([]);
    expect((await ledger.records.outstanding('clock back', ['a'])).dueInMs).toBeGreaterThan(50_000);

    const { dataDir, databaseUrl } = opened;
    const { db } = await openDatabase({ dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
    onTestFinished(() => db.destroy());
    const inAnHour = { retry_at: sql<number>`retry_at + 3600000`, quiet_since: sql<number>`quiet_since + 3600000` };
    await db.updateTable('records').set(inAnHour).where('sync', '=', 'clock back').execute();
    expect(await ledger.records.outstanding('clock back', ['a'])).toEqual({ pending: 1, dueInMs: 0 });
    const before = performance.now();
    // Its create may have been sent just now.
    expect(quietOf(await claim('clock back')).doubtedSince).toBeGreaterThan(before);
  });
});
