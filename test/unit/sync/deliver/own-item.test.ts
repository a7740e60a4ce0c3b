import { describe, expect, test } from 'vitest';
import type { CmsClient } from '../../../../src/cms/client.ts';
import type { Payload } from '../../../../src/core/record.ts';
import type { Ledger } from '../../../../src/ledger/ledger.ts';
import type { ClaimedRecord, RecordWithItem } from '../../../../src/ledger/records/claimed-record.ts';
import type { OpenAttempt } from '../../../../src/ledger/records/open-attempts.ts';
import type { DeliveryContext } from '../../../../src/sync/context/delivery-context.ts';
import { deliverRecord } from '../../../../src/sync/deliver/deliver-record.ts';
import { readOwnItem } from '../../../../src/sync/deliver/own-item.ts';
import { externalIdRoom } from '../../../../src/sync/evidence/external-id-room.ts';

const maps = { title: 'Maps', date: '2027-03-11', description: 'Old maps' };
const moved = { title: 'Maps', date: '2027-03-16', description: 'New maps' };
const restored = { description: 'Older maps' };
const foreign = { title: 'Board meeting', date: '2027-06-01', description: 'In the library' };

interface Known extends Pick<RecordWithItem, 'goal' | 'desired'> {
  /** Null: it was found, and not written yet. */
  delivered?: Payload | null;
  madeByCms?: Payload;
  key?: string;
  open: OpenAttempt[];
}

/** A call without an answer. */
function sent(method: OpenAttempt['method'], body: Payload | null): OpenAttempt {
  return { method, doubt: 'sent', body, before: null };
}

/** Reads the item of a record, of which the CMS shows this. */
function read(
  live: Payload,
  { goal, desired, delivered = maps, open, madeByCms = {}, key = 'a' }: Known,
  externalId?: string,
) {
  const cms = { events: () => ({ get: async () => ({ id: 7, ...live }) }) } as unknown as CmsClient;
  // The ledger has the records u1, u7 and U10.
  const unknownKeys = async (_: string, keys: string[]) => keys.filter((each) => !['u1', 'u7', 'U10'].includes(each));
  const ledger = { plans: { unknownKeys } };
  const context = { cms, ledger, sync: { name: 'talks' }, target: { externalId } } as unknown as Parameters<
    typeof readOwnItem
  >[1];
  const record: RecordWithItem = {
    ...{
      id: 1,
      sync: 'talks',
      key,
      run: 'run',
      claim: 'claim',
      resource: 'events',
      wanted: 1,
      attachments: [],
      hash: '',
      attempts: 0,
    },
    ...{ goal, desired, open, knows: delivered ? 'known' : 'found' },
    item: {
      ...{
        cmsId: 7,
        delivered,
        deliveredAttachments: {},
        madeByCms,
        editorState: {},
        attributesBeforeMark: null,
        isAdopted: false,
        base: {},
      },
    },
  };
  return readOwnItem(record, context);
}

test('An item that is to be deleted may look as an unconfirmed update has left it', async () => {
  const unconfirmed: Known = { goal: { is: 'gone' }, desired: moved, open: [] };
  expect(await read(moved, unconfirmed)).toMatchObject(moved);
  expect(await read(maps, unconfirmed)).toMatchObject(maps);
  await expect(read(foreign, unconfirmed)).rejects.toMatchObject({ code: 'FF_CMS_FOREIGN' });
});

test('An undo may have moved the item back', async () => {
  const open = [sent('PATCH', moved), sent('PATCH', { date: '2027-04-01', description: 'x' })];
  const undone: Known = { goal: { is: 'have' }, desired: moved, open };
  expect(await read({ ...moved, date: '2027-04-01', description: 'x' }, undone)).toMatchObject({ title: 'Maps' });
  await expect(read({ ...foreign, date: '2027-04-01' }, undone)).rejects.toMatchObject({ code: 'FF_CMS_FOREIGN' });
});

test('What an undo may have restored does not say whose item it is', async () => {
  const undone: Known = { goal: { is: 'exactly', as: 'restore' }, desired: restored, open: [sent('PATCH', restored)] };
  expect(await read({ ...maps, ...restored }, undone)).toMatchObject(restored);
  await expect(read({ ...foreign, ...restored }, undone)).rejects.toMatchObject({ code: 'FF_CMS_FOREIGN' });
});

test('An item that was found has to look as its create may have left it when it is written later', async () => {
  const found: Known = { goal: { is: 'have' }, desired: moved, delivered: null, open: [sent('POST', maps)] };
  expect(await read(moved, found)).toMatchObject(moved);
  expect(await read(maps, found)).toMatchObject(maps);
  await expect(read(foreign, found)).rejects.toMatchObject({ code: 'FF_CMS_FOREIGN' });
});

// Whatever was sent to an item without confirmation: a foreign item is never taken for the record's.
test('The update of a found item, which has only some attributes, does not say whose item it is', async () => {
  const open = [sent('POST', maps), sent('PATCH', restored)];
  const found: Known = { goal: { is: 'have' }, desired: moved, delivered: null, open };
  await expect(read(foreign, found)).rejects.toMatchObject({ code: 'FF_CMS_FOREIGN' });
});

test('A create that returns another item is looked up only when lists must show its own', async () => {
  const item = async () => ({ id: 7, ...foreign });
  const cms = { events: () => ({ create: item, get: item }) } as unknown as CmsClient;
  const alike = { load: async () => {}, rewrites: () => false, refusesAlt: () => false };
  const habits = { ...alike, ...externalIdRoom({} as Ledger, 'site', 'events') };
  const ledger = { records: { ownersOf: async () => new Map() } };
  const target = { lookupAfterMs: 5_000 };
  const context = { cms, habits, ledger, sync: { name: 'talks' }, target } as unknown as DeliveryContext;
  const record: ClaimedRecord = {
    ...{
      id: 1,
      sync: 'talks',
      key: 'a',
      run: 'run',
      claim: 'claim',
      resource: 'events',
      hash: '',
      attempts: 0,
      wanted: 1,
    },
    ...{ goal: { is: 'have' }, desired: maps, attachments: [], knows: 'none', password: null },
  };
  const result = await deliverRecord(record, context);
  expect(result).toMatchObject({ is: 'held', code: 'FF_CMS_FOREIGN', doubt: 'sent', afterMs: 5_000 });
});

describe('An item under the id of a record shows an external id', () => {
  const plain: Known = { goal: { is: 'have' }, desired: maps, open: [] };
  const MARK = 'source_key';
  test.each<[string, Partial<Parameters<typeof read>[1]>, string, boolean]>([
    ['its own', {}, 'talks:u10', true],
    ['the beginning of its own, which is another key', {}, 'talks:u1', false],
    ['what the CMS has made of its own', { madeByCms: { [MARK]: 'talks:u' } }, 'talks:u', true],
    ['its own in another case, which is no other key', {}, 'TALKS:U10', true],
    ['its own in another case, which is another key', {}, 'talks:U10', false],
    ['another one, before anything was confirmed', { delivered: null }, 'talks:u7', false],
    [
      'the one of another record, delivered before external ids were configured',
      { delivered: maps },
      'talks:u7',
      false,
    ],
    ['something else, delivered before external ids were configured', { delivered: maps }, 'our code 7', true],
  ])('%s', async (_, known, shown, isOwn) => {
    const marked = { ...maps, [MARK]: 'talks:u10' };
    const reading = read({ ...maps, [MARK]: shown }, { ...plain, key: 'u10', delivered: marked, ...known }, MARK);
    if (isOwn) expect(await reading).toMatchObject(maps);
    else await expect(reading).rejects.toMatchObject({ code: 'FF_CMS_FOREIGN' });
  });
});
