import type { CmsItem } from '../../cms/client.ts';
import type { Payload } from '../../core/record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';
import { externalIdOn } from '../items/external-id.ts';
import { matchKey } from '../search/match-key.ts';

const IDS_PER_QUERY = 500;

export type AdoptContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'ledger'>;

/** The records that a run is about to create. */
export interface Wanted {
  /** By their values in the attributes that identify a record (see `matchKey`). */
  keysByMatch: Map<string, string[]>;
  keys: Set<string>;
  /** First and last day of the events, ISO dates. */
  startDate?: string;
  endDate?: string;
}

/** The items of the CMS that may be wanted records. */
export interface Candidates {
  byMatch: Map<string, CmsItem[]>;
  /** Key → items with the external id of this record. */
  byExternalId: Map<string, CmsItem[]>;
}

/** Reads the creates of a staged plan. */
export async function collectWanted(run: string, match: readonly string[], { ledger }: AdoptContext): Promise<Wanted> {
  const wanted: Wanted = { keysByMatch: new Map(), keys: new Set() };
  for await (const creates of ledger.plans.creates(run)) {
    for (const { key, payload } of creates) {
      wanted.keys.add(key);
      const value = matchKey(match, payload);
      if (value === undefined) continue;
      add(wanted.keysByMatch, value, key);
      if (match.includes('date')) includeDays(wanted, payload);
    }
  }
  return wanted;
}

function includeDays(wanted: Wanted, { date, endDate }: Payload): void {
  if (typeof date !== 'string') return;
  const lastDay = typeof endDate === 'string' ? endDate : date;
  if (wanted.startDate === undefined || date < wanted.startDate) wanted.startDate = date;
  if (wanted.endDate === undefined || lastDay > wanted.endDate) wanted.endDate = lastDay;
}

/**
 * Lists the items of the CMS that may be wanted records and do not belong to other records.
 * @throws CmsError if the CMS cannot be searched
 */
export async function findCandidates(
  wanted: Wanted,
  match: readonly string[],
  context: AdoptContext,
): Promise<Candidates> {
  const candidates: Candidates = { byMatch: new Map(), byExternalId: new Map() };
  for await (const item of listItems(wanted, context)) {
    const key = keyOn(item, context);
    const value = matchKey(match, item);
    if (key !== undefined && wanted.keys.has(key)) add(candidates.byExternalId, key, item);
    else if (value !== undefined && wanted.keysByMatch.has(value)) add(candidates.byMatch, value, item);
  }
  return withoutOwned(candidates, context);
}

function listItems({ startDate, endDate }: Wanted, { sync, cms }: AdoptContext): AsyncIterable<CmsItem> {
  if (sync.resource === 'accounts') return cms.accounts().list({ limit: ITEMS_PER_PAGE });
  return cms.events(sync.instance).list({
    limit: ITEMS_PER_PAGE,
    ...(startDate === undefined ? {} : { startDate }),
    ...(endDate === undefined ? {} : { endDate }),
  });
}

/** The key in the external id of an item, if it is one of this sync. */
function keyOn(item: CmsItem, { sync, target }: AdoptContext): string | undefined {
  const externalId = externalIdOn(item, target.externalId);
  const prefix = `${sync.name}:`;
  return externalId?.startsWith(prefix) ? externalId.slice(prefix.length) : undefined;
}

async function withoutOwned(
  { byMatch, byExternalId }: Candidates,
  { ledger, sync }: AdoptContext,
): Promise<Candidates> {
  const ids = [...byMatch.values(), ...byExternalId.values()].flat().map(({ id }) => id);
  const owned = new Set<number>();
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const some = await ledger.records.owned(sync.resource, ids.slice(start, start + IDS_PER_QUERY));
    for (const id of some) owned.add(id);
  }
  const free = (groups: Map<string, CmsItem[]>) =>
    new Map([...groups].map(([key, items]) => [key, items.filter(({ id }) => !owned.has(id))]));
  return { byMatch: free(byMatch), byExternalId: free(byExternalId) };
}

function add<Value>(groups: Map<string, Value[]>, name: string, value: Value): void {
  const group = groups.get(name);
  if (group) group.push(value);
  else groups.set(name, [value]);
}
