import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { type ClaimedRecord, openOf } from '../../../src/ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../../src/ledger/records/delivery-result.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const LEASE_MS = 60_000;
const failed = { is: 'failed', code: 'FF_CMS_UNPROCESSABLE', reason: 'no' } as const;
const retry = { is: 'retry', code: 'FF_CMS_SERVER', reason: '500', afterMs: -1000 } as const;
const waits = { ...retry, afterMs: 40_000 } as const;
const inDoubt = { ...retry, doubt: 'sent', sent: { method: 'POST', attributes: ['title'] } } satisfies DeliveryResult;

function created(cmsId: number, title = 'v1'): DeliveryResult {
  return { is: 'created', cmsId, delivered: { title }, deliveredAttachments: {} };
}

// What every ledger knows of the records of a claim that ends in some way, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('A claim on several records in a ledger on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;
  let second: Ledger;

  beforeAll(() => {
    ledger = opened.ledger;
    second = opened.second;
  });

  /** Begins a run that wants records with these keys to have a title. */
  async function begin(sync: string, keys: readonly string[], title = 'v1'): Promise<string> {
    const run = await ledger.runs.begin(sync, 'run');
    const known = await ledger.plans.known(sync, keys);
    await ledger.plans.add(
      keys.map((key) => ({
        ...{ run, key, place: 'line 1', resource: 'events' as const, attachments: '[]', changed: '[]' },
        op: (known.get(key)?.cmsId ?? null) === null ? ('create' as const) : ('update' as const),
        ...{ desired: JSON.stringify({ title }), hash: `h-${title}` },
      })),
    );
    await ledger.plans.apply(run, sync);
    return run;
  }

  async function claim(sync: string, keys: readonly string[], by = ledger): Promise<Record<string, ClaimedRecord>> {
    const records = await by.records.claim(sync, keys, LEASE_MS);
    return Object.fromEntries(records.map((record) => [record.key, record]));
  }

  /** Lets the leases of all claims on a sync end. */
  async function lapse(sync: string): Promise<void> {
    const { db } = await openDatabase(opened);
    await db.updateTable('claims').set({ until: 1 }).where('sync', '=', sync).execute();
    await db.destroy();
  }

  const knowledgeOf = (records: Record<string, ClaimedRecord>) =>
    Object.fromEntries(Object.entries(records).map(([key, { knows }]) => [key, knows]));

  async function claimsOn(sync: string): Promise<number> {
    const { db } = await openDatabase(opened);
    onTestFinished(() => db.destroy());
    return (await db.selectFrom('claims').select('token').where('sync', '=', sync).execute()).length;
  }

  test('A record whose pause was over does not wait for it again after a lapse, if the clock has gone back in the pause', async () => {
    await begin('back', ['a']);
    const { a } = await claim('back', ['a']);
    await ledger.records.settle(a!, waits);
    const { db } = await openDatabase(opened);
    onTestFinished(() => db.destroy());
    const hour = 3_600_000;
    await sql`update records set quiet_since = quiet_since + ${hour}, retry_at = retry_at + ${hour} where sync = 'back'`.execute(
      db,
    );
    expect(Object.keys(await claim('back', ['a']))).toEqual(['a']);
    await lapse('back');
    expect(Object.keys(await claim('back', ['a']))).toEqual(['a']);
  });

  test('Only creates without a result are in doubt once the lease has ended', async () => {
    await begin('lapsed', ['created', 'failed', 'tried', 'waits', 'untouched']);
    // The record that waits is not part of the claim.
    const first = await claim('lapsed', ['waits']);
    await ledger.records.settle(first.waits!, waits);
    const {
      created: a,
      failed: b,
      tried: c,
    } = await claim('lapsed', ['created', 'failed', 'tried', 'waits', 'untouched']);
    await ledger.records.settle(a!, created(1));
    await ledger.records.settle(b!, { ...failed, is: 'retry', afterMs: -1000 });
    await ledger.records.settle(c!, inDoubt);
    await lapse('lapsed');
    const next = await claim('lapsed', ['created', 'failed', 'tried', 'waits', 'untouched'], second);
    expect(knowledgeOf(next)).toEqual({ failed: 'none', tried: 'maybe', untouched: 'maybe' });
    expect(openOf(next.untouched!)).toMatchObject([{ method: 'POST', doubt: 'sent', body: null }]);
    expect(openOf(next.tried!)).toHaveLength(1);
    expect(await ledger.records.state('lapsed', 'waits')).toMatchObject({ maybeSent: false });
  });

  test('A record with a result may be claimed again while its batch is delivered, and belongs to that claim alone', async () => {
    await begin('moves', ['a', 'b']);
    const first = await claim('moves', ['a', 'b']);
    await ledger.records.settle(first.a!, retry);
    const again = await claim('moves', ['a', 'b'], second);
    expect(knowledgeOf(again)).toEqual({ a: 'none' });
    expect(await ledger.records.settle(first.a!, created(2))).toBe(false);
    await second.records.settle(again.a!, created(3));
    await lapse('moves');
    expect(knowledgeOf(await claim('moves', ['a', 'b'], second))).toEqual({ b: 'maybe' });
    expect((await ledger.plans.known('moves', ['a'])).get('a')).toMatchObject({ cmsId: 3, isUnconfirmed: false });
  });

  test('A claim ends with the last of its records, and what is released of it was not sent', async () => {
    await begin('ends', ['a', 'b']);
    const { a, b } = await claim('ends', ['a', 'b']);
    await ledger.records.settle(a!, created(4));
    const isEnded = ledger.records.endClaim([a!, b!]);
    ledger.records.flushSettlements();
    expect(await isEnded).toBe(false);
    expect(await ledger.records.state('ends', 'b')).toMatchObject({ maybeSent: true });
    await ledger.records.release([b!]);
    expect(await claimsOn('ends')).toBe(0);
    expect(await ledger.records.state('ends', 'b')).toMatchObject({ maybeSent: false });
    const again = await claim('ends', ['a', 'b']);
    await ledger.records.settle(again.b!, created(5));
    const isOver = ledger.records.endClaim([again.b!]);
    ledger.records.flushSettlements();
    expect(await isOver).toBe(true);
    expect(await claimsOn('ends')).toBe(0);
  });

  test('The creates of a claim that is not over count as sent after the end of their run', async () => {
    const run = await begin('broken', ['a', 'b', 'c']);
    await ledger.runs.record(run, { counts: { ...(await ledger.runs.report(run)).counts, read: 3 } });
    await claim('broken', ['a']);
    const { b } = await claim('broken', ['b']);
    await ledger.records.release([b!]);
    await ledger.runs.finish(run, { status: 'failed', code: 'FF_RUN_ABANDONED', message: 'gone' });
    expect((await ledger.runs.report(run)).counts).toMatchObject({ failed: 1, notSent: 2 });
    expect(await ledger.history.unconfirmed(run)).toMatchObject([{ key: 'a' }]);
    expect(await ledger.runs.lastChanging('broken')).toMatchObject({ run });
    expect((await ledger.records.undelivered('broken')).notSent).toBe(2);
    // A run begins with what earlier ones have left.
    const next = await ledger.runs.begin('broken', 'run');
    await ledger.records.releaseExited('broken', LEASE_MS);
    expect(await ledger.history.deliveries('broken', 'a')).toEqual([]);
    await lapse('broken');
    await ledger.records.releaseExited('broken', LEASE_MS);
    expect(await ledger.history.deliveries('broken', 'a')).toMatchObject([{ outcome: 'unanswered', run }]);
    await ledger.runs.finish(next);
    expect(await ledger.history.unconfirmed(run)).toMatchObject([{ key: 'a' }]);
    expect(await claimsOn('broken')).toBe(0);
  });

  test('A plan keeps what may have been sent under a claim, and the holder may still settle it', async () => {
    const first = await begin('replanned', ['a', 'b']);
    const { a, b } = await claim('replanned', ['a', 'b']);
    await ledger.runs.finish(first);
    await begin('replanned', ['a', 'b'], 'v2');
    expect(await ledger.records.confirm(a!)).toBe(0);
    expect(await claim('replanned', ['a', 'b'], second)).toEqual({});
    await ledger.records.settle(a!, created(6));
    await lapse('replanned');
    const next = await claim('replanned', ['a', 'b'], second);
    expect(knowledgeOf(next)).toEqual({ a: 'known', b: 'maybe' });
    expect(openOf(next.a!)).toEqual([]);
    expect(openOf(next.b!)).toMatchObject([{ method: 'POST', doubt: 'sent', body: { title: 'v1' } }]);
    expect(await ledger.records.settle(b!, created(7))).toBe(false);
  });

  // SQLite has one writer at a time.
  if (engine === 'postgresql') {
    test('A plan that meets the release of a claim finds nothing that was sent', async () => {
      const keys = ['met a', 'met b'];
      const first = await begin('met', keys);
      const claimed = Object.values(await claim('met', keys, second));
      await ledger.runs.finish(first);
      const { db } = await openDatabase(opened);
      const waiting = async () =>
        (
          await sql<{ waiting: number }>`
          select cast(count(*) as int) as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
        `.execute(db)
        ).rows[0]?.waiting;
      const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const other = db.transaction().execute(async (transaction) => {
        await sql`select id from records where sync = 'met' for update`.execute(transaction);
        locked.resolve();
        await free.promise;
      });
      await locked.promise;
      const released = second.records.release(claimed);
      await expect.poll(waiting).toBe(1);
      const planned = begin('met', ['met c']);
      await expect.poll(waiting).toBe(2);
      free.resolve();
      await Promise.all([other, released, planned]);
      await db.destroy();
      expect(await ledger.records.undelivered('met')).toMatchObject({ pending: 3, notSent: 3 });
    });
  }

  test('An item that a create has left, and that is not yet as desired, keeps what the create has sent', async () => {
    const first = await begin('taken', ['a']);
    const { a } = await claim('taken', ['a']);
    expect(await ledger.records.takeItem(a!, 8, true)).toBe('taken');
    await ledger.runs.finish(first);
    await begin('taken', ['a'], 'v2');
    await lapse('taken');
    const next = await claim('taken', ['a'], second);
    expect(next.a).toMatchObject({ knows: 'found', open: [{ method: 'POST', body: { title: 'v1' } }] });
  });

  test('The holder of a claim cannot settle what the source has withdrawn meanwhile', async () => {
    const first = await begin('withdrawn', ['a']);
    await ledger.records.settle((await claim('withdrawn', ['a'])).a!, created(9));
    await ledger.runs.finish(first);
    const second = await begin('withdrawn', ['a'], 'v2');
    const { a } = await claim('withdrawn', ['a']);
    await ledger.runs.finish(second);
    const third = await ledger.runs.begin('withdrawn', 'run');
    await ledger.plans.add([
      {
        ...{
          run: third,
          key: 'a',
          op: 'unchanged',
          place: 'line 1',
          resource: 'events',
          attachments: '[]',
          changed: '[]',
        },
        ...{ desired: '{"title":"v1"}', hash: 'h-v1' },
      },
    ]);
    await ledger.plans.apply(third, 'withdrawn');
    expect(await ledger.records.settle(a!, retry)).toBe(false);
    expect(await ledger.records.state('withdrawn', 'a')).toMatchObject({ status: 'delivered' });
  });

  test('Of two claims on the same records at once, each record has one', async () => {
    await begin('race', ['a', 'b', 'c']);
    await claim('race', ['a', 'b']);
    await lapse('race');
    const both = await Promise.all([claim('race', ['a', 'b', 'c']), claim('race', ['c', 'b', 'a'], second)]);
    expect(both.flatMap(Object.keys).toSorted()).toEqual(['a', 'b', 'c']);
    const { db } = await openDatabase(opened);
    onTestFinished(() => db.destroy());
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from attempts join records on records.id = attempts.record where records.sync = 'race'
    `.execute(db);
    expect(Number(rows[0]?.count)).toBe(2);
  });
});
