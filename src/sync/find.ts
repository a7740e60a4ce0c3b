import { isDeepStrictEqual } from 'node:util';
import type { CmsItem } from '../cms/client.ts';
import type { Payload } from '../core/record.ts';
import type { ClaimedRecord } from '../ledger/claims.ts';
import type { DeliveryContext } from './context.ts';
import { externalIdOf } from './item.ts';

/** Items a page; the CMS may give fewer. */
const PAGE = 100;

export type Found = { is: 'found'; cmsId: number } | { is: 'none' } | { is: 'unsure'; reason: string };

/**
 * Looks in the CMS for an item that a create of this record may have left there: by the external-id attribute where it
 * is configured and the CMS shows it, else by what makes such an item itself (an event's title and times, an account's
 * email or username). Items that the ledger knows as other records are none of them.
 * @throws CmsError when the CMS cannot be searched
 */
export async function findInCms(record: ClaimedRecord, body: Payload, context: DeliveryContext): Promise<Found> {
  const externalId = context.target.externalId;
  const exact: number[] = [];
  const alike: number[] = [];
  for await (const item of candidates(record, body, context)) {
    const mark = externalId === undefined ? undefined : item[externalId];
    if (mark !== undefined && mark !== null && mark !== '') {
      if (mark === externalIdOf(record)) exact.push(item.id);
    } else if (looksLike(record, body, item)) alike.push(item.id);
  }
  const matches = exact.length > 0 ? exact : await unowned(alike, record, context);
  const [cmsId] = matches;
  if (cmsId === undefined) return { is: 'none' };
  if (matches.length === 1) return { is: 'found', cmsId };
  return {
    is: 'unsure',
    reason: `the CMS has ${matches.length} items that could be it (ids ${matches.slice(0, 5).join(', ')})`,
  };
}

function candidates(record: ClaimedRecord, body: Payload, { cms, sync }: DeliveryContext): AsyncIterable<CmsItem> {
  if (record.resource === 'accounts') return cms.accounts().list({ limit: PAGE });
  const { date, endDate } = body;
  return cms.events(sync.instance).list({
    limit: PAGE,
    ...(typeof date === 'string' ? { startDate: date } : {}),
    ...(typeof endDate === 'string' ? { endDate } : {}),
  });
}

function looksLike(record: ClaimedRecord, body: Payload, item: CmsItem): boolean {
  const same = (attribute: string) => isDeepStrictEqual(item[attribute], body[attribute]);
  if (record.resource === 'events') {
    return same('title') && same('date') && same('endDate') && startOf(item.time) === startOf(body.time);
  }
  if (typeof body.email === 'string' && body.email !== '') return sameText(item.email, body.email);
  return typeof body.username === 'string' && body.username !== '' && sameText(item.username, body.username);
}

function startOf(time: unknown): unknown {
  return typeof time === 'object' && time !== null && 'start' in time ? time.start : undefined;
}

function sameText(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.toLowerCase() === other.toLowerCase();
}

async function unowned(ids: number[], record: ClaimedRecord, { ledger }: DeliveryContext): Promise<number[]> {
  const owned = await ledger.claims.owned(record.resource, ids);
  return ids.filter((id) => !owned.has(id));
}
