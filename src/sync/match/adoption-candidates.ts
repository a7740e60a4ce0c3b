import type { CmsItem } from '../../cms/client.ts';
import type { Payload } from '../../core/record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';
import { externalIdOn } from '../items/external-id.ts';
import { matchKey } from '../search/match-key.ts';

const IDS_AT_ONCE = 500;

export type AdoptContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'ledger'>;

/** What a run is about to create, by what tells it. */
export interface Wanted {
  keysByMatch: Map<string, string[]>;
  keys: Set<string>;
  /** First and last day of the events, ISO dates. */
  startDate?: string;
  endDate?: string;
}

/** What the CMS has of it. */
export interface Candidates {
  byMatch: Map<string, CmsItem[]>;
  /** Key → items that are marked as this very record. */
  byExternalId: Map<string, CmsItem[]>;
}

/** Reads the creates of a staged plan. */
export async function collectWanted(run: string, match: readonly string[], { ledger }: AdoptContext): Promise<Wanted> {
  const wanted: Wanted = { keysByMatch: new Map(), keys: new Set() };
  const datesTell = match.includes('date');
  for await (const creates of ledger.plans.creates(run)) {
    for (const { key, payload } of creates) {
      wanted.keys.add(key);
      const told = matchKey(match, payload);
      if (told === undefined) continue;
      add(wanted.keysByMatch, told, key);
      if (datesTell) include(wanted, payload);
    }
  }
  return wanted;
}

function include(wanted: Wanted, { date, endDate }: Payload): void {
  if (typeof date !== 'string') return;
  const lastDay = typeof endDate === 'string' ? endDate : date;
  if (wanted.startDate === undefined || date < wanted.startDate) wanted.startDate = date;
  if (wanted.endDate === undefined || lastDay > wanted.endDate) wanted.endDate = lastDay;
}

/**
 * Looks through the items of the CMS for those that may be among the wanted ones, and are not known as other records.
 * @throws CmsError when the CMS cannot be searched
 */
export async function findCandidates(
  wanted: Wanted,
  match: readonly string[],
  context: AdoptContext,
): Promise<Candidates> {
  return withoutOwned(await search(wanted, match, context), context);
}

async function search(wanted: Wanted, match: readonly string[], context: AdoptContext): Promise<Candidates> {
  const candidates: Candidates = { byMatch: new Map(), byExternalId: new Map() };
  for await (const item of listItems(wanted, context)) {
    const key = keyMarkedOn(item, context);
    const told = matchKey(match, item);
    if (key !== undefined && wanted.keys.has(key)) add(candidates.byExternalId, key, item);
    else if (told !== undefined && wanted.keysByMatch.has(told)) add(candidates.byMatch, told, item);
  }
  return candidates;
}

function listItems({ startDate, endDate }: Wanted, { sync, cms }: AdoptContext): AsyncIterable<CmsItem> {
  if (sync.resource === 'accounts') return cms.accounts().list({ limit: ITEMS_PER_PAGE });
  return cms.events(sync.instance).list({
    limit: ITEMS_PER_PAGE,
    ...(startDate === undefined ? {} : { startDate }),
    ...(endDate === undefined ? {} : { endDate }),
  });
}

/** The key of this sync that an item's external-id attribute names. */
function keyMarkedOn(item: CmsItem, context: AdoptContext): string | undefined {
  const mark = externalIdOn(item, context.target.externalId);
  const prefix = `${context.sync.name}:`;
  return mark?.startsWith(prefix) ? mark.slice(prefix.length) : undefined;
}

/** Without the items that the ledger knows as other records. */
async function withoutOwned(candidates: Candidates, { ledger, sync }: AdoptContext): Promise<Candidates> {
  const ids = [candidates.byMatch, candidates.byExternalId].flatMap((groups) =>
    [...groups.values()].flat().map(({ id }) => id),
  );
  const owned = new Set<number>();
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const some = await ledger.records.owned(sync.resource, ids.slice(start, start + IDS_AT_ONCE));
    for (const id of some) owned.add(id);
  }
  const free = (groups: Map<string, CmsItem[]>) =>
    new Map([...groups].map(([key, items]) => [key, items.filter(({ id }) => !owned.has(id))]));
  return { byMatch: free(candidates.byMatch), byExternalId: free(candidates.byExternalId) };
}

function add<Value>(groups: Map<string, Value[]>, name: string, value: Value): void {
  const group = groups.get(name);
  if (group) group.push(value);
  else groups.set(name, [value]);
}
