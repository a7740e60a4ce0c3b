import type { Ledger } from '../../../../src/ledger/ledger.ts';
import { type ClaimedRecord, foundRecord, itemOf } from '../../../../src/ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../../../src/ledger/records/delivery-result.ts';
import type { ListCms } from './list-cms.ts';

// What src/sync does with a claimed record (observe.ts, protocol.ts, perform.ts, attempt.ts), in a few words.

/** What becomes of a request. From the middle ones the client learns nothing; after the last of them it gives up. */
export const fates = ['answered', 'answer lost', 'never arrived', 'given up', 'refused'] as const;
export type Fate = (typeof fates)[number];

/** The CMS, and whether what an editor deleted there is created again. */
export interface Target {
  cms: ListCms;
  recreate: boolean;
}

/** Pause before another try, in ms: longer than a test lasts. */
const LATER_MS = 60_000;

/** The version of a record that a plan wants. */
export function versionOf({ desired }: ClaimedRecord): number {
  return desired.version as number;
}

/** The item that is the record: a create that may have been sent is looked for before there is another. */
export function lookUp(record: ClaimedRecord, { cms }: Target): number | undefined {
  return itemOf(record)?.cmsId ?? ('quiet' in record ? cms.find(record.key) : undefined);
}

/**
 * Has the ledger know of the request that follows: it knows of the create from the claim on.
 * @returns false if the record is no longer ours: nothing may be sent
 */
export async function keep(record: ClaimedRecord, found: number | undefined, { records }: Ledger): Promise<boolean> {
  if (found === undefined) return true;
  if (!itemOf(record) && (await records.takeItem(record, found)) !== 'taken') return false;
  const withItem = itemOf(record) ? record : foundRecord(record, found);
  return records.sending(withItem, { method: 'PATCH', body: record.desired, before: null });
}

/** Sends one request for a record, and says how it is to be settled. */
export function send(record: ClaimedRecord, found: number | undefined, target: Target, fate: Fate): DeliveryResult {
  const arrives = fate !== 'never arrived' && fate !== 'refused';
  if (found === undefined) {
    const cmsId = arrives ? target.cms.create(record.key, versionOf(record)) : 0;
    return resultOf(record, fate, { method: 'POST', cmsId });
  }
  const exists = !arrives || target.cms.patch(found, versionOf(record));
  if (!exists && fate === 'answered') {
    return { is: 'deleted', recreate: target.recreate, code: 'FF_CMS_NOT_FOUND', reason: '404', uploads: 0 };
  }
  return resultOf(record, fate, { method: 'PATCH', cmsId: found });
}

function resultOf(
  record: ClaimedRecord,
  fate: Fate,
  { method, cmsId }: { method: 'POST' | 'PATCH'; cmsId: number },
): DeliveryResult {
  const is = itemOf(record)?.delivered ? 'updated' : 'created';
  const sent = { method, attributes: ['version'] };
  // Before a create, the search has shown that earlier ones have left no item.
  const undelivered = { sent, uploads: 0, ...(method === 'POST' && { isAbsent: 'quiet' in record }) };
  const lost = { ...undelivered, code: 'FF_CMS_TIMEOUT', reason: 'no answer', doubt: 'sent' } as const;
  switch (fate) {
    case 'answered':
      return { is, sent, cmsId, delivered: record.desired, deliveredAttachments: {}, uploads: 0 };
    case 'answer lost':
      return { ...lost, is: 'retry', afterMs: 0 };
    case 'never arrived':
      return { ...lost, is: 'retry', afterMs: LATER_MS };
    case 'given up':
      return { ...lost, is: 'held' };
    case 'refused':
      return {
        ...{ ...undelivered, is: 'failed', code: 'FF_CMS_UNPROCESSABLE', reason: '422' },
        ...(method === 'POST' && { doubt: 'refused' }),
      };
  }
}
