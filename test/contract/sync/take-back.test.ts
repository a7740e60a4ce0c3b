import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createCmsClient } from '../../../src/cms/client.ts';
import type { SyncConfig, TargetConfig } from '../../../src/config/types.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import type { DeliveryResult } from '../../../src/ledger/records/delivery-result.ts';
import type { Sending } from '../../../src/ledger/records/opening.ts';
import { takeBackLate } from '../../../src/sync/deliver/take-back.ts';
import { temporaryDir } from '../../support/engines.ts';
import { allJudged } from '../../support/ledger.ts';
import { openSandbox } from '../sandbox/harness.ts';

// The real client, ledger and sandbox: a create whose claim has lapsed is answered.

const event = { title: 'Maps', date: '2027-03-01', endDate: '2027-03-01', time: { type: 'allday' } };
const created = (cmsId: number): DeliveryResult => ({
  ...({ is: 'created', cmsId, delivered: event, deliveredAttachments: {} } as const),
  sent: { method: 'POST', attributes: Object.keys(event) },
});

/** A call that has no answer yet. */
const sending: Sending = { method: 'PATCH', body: { description: 'New' }, before: { description: null } };

/** A record that this process has claimed and created, while its claim has lapsed and another process has claimed it. */
async function openScene() {
  const dir = temporaryDir();
  const sandbox = await openSandbox({ memory: true });
  const cms = createCmsClient({ baseUrl: sandbox.url, token: sandbox.token });
  const ledger = await openLedger({ dataDir: dir.path });
  onTestFinished(async () => {
    await Promise.all([ledger.close(), cms.close(), sandbox.close()]);
    dir[Symbol.dispose]();
  });
  const run = await ledger.runs.begin('talks', 'run');
  const row = {
    op: 'create',
    place: 'line 2',
    resource: 'events',
    attachments: '[]',
    hash: 'h',
    changed: '[]',
  } as const;
  await ledger.plans.add(['T1', 'T2'].map((key) => ({ run, key, ...row, desired: JSON.stringify(event) })));
  await ledger.plans.apply(run, 'talks', allJudged);
  const claimNow = async (key: string, leaseMs: number) => {
    const [record] = await ledger.records.claim('talks', [key], leaseMs);
    if (!record) throw new Error(`${key} was not claimed.`);
    return record;
  };
  const late = await claimNow('T1', -1);
  await ledger.runs.finish(run);
  const item = await cms.events().create(event);
  const logged: string[] = [];
  const log = pino({ base: null }, { write: (line) => logged.push(line) });
  const context = { sync: { name: 'talks' } as SyncConfig, target: {} as TargetConfig, cms, ledger, log };
  const ids = async () => (await cms.events().page()).data.map(({ id }) => id);
  return {
    sandbox,
    ledger,
    cms,
    logged,
    claimNow,
    late,
    item,
    ids,
    takeBack: () => takeBackLate(late, created(item.id), context),
  };
}

test('The item of a create that came too late is deleted if another process has delivered the record', async () => {
  const { ledger, cms, claimNow, late, item, ids, takeBack } = await openScene();
  const other = await claimNow('T1', 60_000);
  const theirs = await cms.events().create(event);
  await ledger.records.settle(other, created(theirs.id));
  expect(await ledger.records.settle(late, created(item.id))).toBe(false);

  await takeBack();
  expect(await ids()).toEqual([theirs.id]);
});

test('It stays while the record is being delivered: it may be found', async () => {
  const { claimNow, item, ids, takeBack } = await openScene();
  await claimNow('T1', 60_000);
  await takeBack();
  expect(await ids()).toEqual([item.id]);
});

test('It stays while it is not known what the other process has created: it may be found', async () => {
  const { ledger, cms, claimNow, item, ids, takeBack } = await openScene();
  const theirs = await cms.events().create(event);
  await ledger.records.settle(await claimNow('T1', 60_000), created(theirs.id));
  const run = await ledger.runs.begin('talks', 'run');
  const row = { op: 'update', place: 'line 2', resource: 'events', attachments: '[]', hash: 'new' } as const;
  const desired = JSON.stringify({ ...event, description: 'New' });
  await ledger.plans.add([{ run, key: 'T1', ...row, desired, changed: '["description"]' }]);
  await ledger.plans.apply(run, 'talks', allJudged);
  const update = await claimNow('T1', 60_000);
  await ledger.records.sending(update, sending);
  await takeBack();
  expect((await ids()).sort()).toEqual([theirs.id, item.id].sort());
});

test('It stays if the other process has taken it', async () => {
  const { ledger, claimNow, item, ids, takeBack } = await openScene();
  await ledger.records.settle(await claimNow('T1', 60_000), created(item.id));
  await takeBack();
  expect(await ids()).toEqual([item.id]);
});

test('It stays if it belongs to another record', async () => {
  const { ledger, cms, claimNow, item, ids, takeBack } = await openScene();
  await ledger.records.settle(await claimNow('T2', 60_000), created(item.id));
  const theirs = await cms.events().create(event);
  await ledger.records.settle(await claimNow('T1', 60_000), created(theirs.id));
  await takeBack();
  expect((await ids()).sort()).toEqual([item.id, theirs.id]);
});

test('It is named in the log if the CMS answers its delete and keeps it', async () => {
  const { sandbox, ledger, cms, logged, claimNow, item, ids, takeBack } = await openScene();
  const theirs = await cms.events().create(event);
  await ledger.records.settle(await claimNow('T1', 60_000), created(theirs.id));
  sandbox.setFaults({ faults: [{ kind: 'unapplied', method: 'DELETE' }] });
  await takeBack();
  expect((await ids()).sort()).toEqual([item.id, theirs.id]);
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, key: 'T1', cmsId: item.id, code: 'FF_CMS_NOT_DELETED' },
  ]);
});

test('It stays if its id belongs to another item by now', async () => {
  const { ledger, cms, claimNow, item, ids, takeBack } = await openScene();
  const theirs = await cms.events().create(event);
  await ledger.records.settle(await claimNow('T1', 60_000), created(theirs.id));
  await cms.events().patch(item.id, { title: 'Opening', date: '2027-09-01', endDate: '2027-09-01' });
  await takeBack();
  expect((await ids()).sort()).toEqual([item.id, theirs.id]);
});
