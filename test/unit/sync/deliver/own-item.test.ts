import { expect, test } from 'vitest';
import type { CmsClient } from '../../../../src/cms/client.ts';
import type { Payload } from '../../../../src/core/record.ts';
import type { ClaimedRecord } from '../../../../src/ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../../../../src/sync/context/delivery-context.ts';
import { createRecord } from '../../../../src/sync/deliver/create-record.ts';
import { readOwnItem } from '../../../../src/sync/deliver/own-item.ts';

const delivered = { title: 'Maps', date: '2027-03-11', description: 'Old maps' };
const moved = { title: 'Maps', date: '2027-03-16', description: 'New maps' };
const restored = { description: 'Older maps' };
const foreign = { title: 'Board meeting', date: '2027-06-01', description: 'In the library' };

/** Reads the item of a record, of which the CMS shows this. */
function read(
  live: Payload,
  record: Pick<ClaimedRecord, 'action' | 'desired' | 'unconfirmedPayloads'> & Partial<ClaimedRecord>,
) {
  const cms = { events: () => ({ get: async () => ({ id: 7, ...live }) }) } as unknown as CmsClient;
  const context = { cms, sync: { name: 'talks' }, target: {} } as unknown as Parameters<typeof readOwnItem>[2];
  const claimed = { sync: 'talks', key: 'a', resource: 'events', delivered, ...record } as Partial<ClaimedRecord>;
  return readOwnItem(claimed as ClaimedRecord, 7, context);
}

test('An item that is to be deleted may look as an unconfirmed update has left it', async () => {
  const unconfirmed = { action: 'delete' as const, desired: moved, unconfirmedPayloads: null };
  expect(await read(moved, unconfirmed)).toMatchObject(moved);
  expect(await read(delivered, unconfirmed)).toMatchObject(delivered);
  await expect(read(foreign, unconfirmed)).rejects.toMatchObject({ code: 'FF_CMS_FOREIGN' });
});

test('An undo may have moved the item back', async () => {
  const undone = {
    action: null,
    desired: moved,
    unconfirmedPayloads: [moved, { date: '2027-04-01', description: 'x' }],
  };
  expect(await read({ ...moved, date: '2027-04-01', description: 'x' }, undone)).toMatchObject({ title: 'Maps' });
  await expect(read({ ...foreign, date: '2027-04-01' }, undone)).rejects.toMatchObject({ code: 'FF_CMS_FOREIGN' });
});

test('What an undo may have restored does not say whose item it is', async () => {
  const undone = { action: 'restore' as const, desired: restored, unconfirmedPayloads: [delivered, restored] };
  expect(await read({ ...delivered, ...restored }, undone)).toMatchObject(restored);
  await expect(read({ ...foreign, ...restored }, undone)).rejects.toMatchObject({ code: 'FF_CMS_FOREIGN' });
});

test('An item that was found has to look as its create may have left it when it is written later', async () => {
  const found = { action: null, delivered: null, desired: moved, unconfirmedPayloads: [delivered] };
  expect(await read(moved, found)).toMatchObject(moved);
  expect(await read(delivered, found)).toMatchObject(delivered);
  await expect(read(foreign, found)).rejects.toMatchObject({ code: 'FF_CMS_FOREIGN' });
});

test('A create that returns another item is looked up only when lists must show its own', async () => {
  const cms = { events: () => ({ create: async () => ({ id: 7, ...foreign }) }) } as unknown as CmsClient;
  const target = { lookupAfterMs: 5_000 };
  const context = { cms, sync: { name: 'talks' }, target } as unknown as DeliveryContext;
  const known = { cmsId: null, createUnconfirmed: false, unconfirmedPayloads: null, delivered: null, password: null };
  const record = { ...known, sync: 'talks', key: 'a', resource: 'events', desired: delivered, attachments: [] };
  const result = await createRecord(record as unknown as ClaimedRecord, context);
  expect(result).toMatchObject({ is: 'held', code: 'FF_CMS_FOREIGN', createUnconfirmed: true, afterMs: 5_000 });
});
