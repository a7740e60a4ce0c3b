import type { CmsItem } from '../../cms/client.ts';
import { isIsoDate } from '../../core/dates/iso-date.ts';
import type { LostItem } from '../../ledger/plans/adoptions.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';
import { keyOn } from '../items/external-id.ts';
import { matchKey } from '../items/values.ts';
import { itemTraits, likenessOf, type Trait } from '../search/item-traits.ts';
import type { Newcomers } from './newcomers.ts';

const IDS_PER_QUERY = 500;

type SearchContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'ledger'>;

/** The records that a run is about to create. */
export interface Wanted {
  keys: Set<string>;
  /** By their values in the attributes that the sync adopts by (see `matchKey`). */
  keysByMatch: Map<string, string[]>;
  /** Before the first delivery of a sync that does not adopt: by what an item like them has. */
  keysByTrait: Map<Trait, string[]>;
  /** Records that look like an item of the CMS, and its id. */
  alike: Map<string, number>;
  /** First and last day of the events, ISO dates. */
  startDate?: string;
  endDate?: string;
}

/** An item of the CMS that may be a wanted record: it has the external id of one, or the values that identify some. */
export interface LikelyItem {
  item: CmsItem;
  key?: string;
  match?: string;
}

/**
 * Lists the items of the CMS that may be records that a run is about to create, and do not belong to other records.
 * @returns also `unknown`: items with external ids of the sync whose records neither the run creates nor the ledger has;
 * `unshown`: how many more items the CMS counts than its list shows
 * @throws CmsError
 */
export async function findCandidates(run: string, newcomers: Newcomers, context: SearchContext) {
  const { sync, target, ledger } = context;
  const match = sync.adopt?.match ?? [];
  const wanted = await collectWanted(run, newcomers, context);
  const candidates: LikelyItem[] = [];
  const lost: LostItem[] = [];
  if (wanted.keys.size === 0) return { wanted, candidates, unknown: lost, unshown: 0 };
  const items = listItems(wanted, newcomers, context);
  let unshown = 0;
  for (let next = await items.next(); ; next = await items.next()) {
    if (next.done) {
      unshown += next.value ?? 0;
      break;
    }
    const item = next.value;
    unshown -= 1;
    const key = keyOn(item, sync, target.externalId);
    const value = valueIn(match, item);
    if (key !== undefined && wanted.keys.has(key)) candidates.push({ item, key });
    else if (value !== undefined && wanted.keysByMatch.has(value)) candidates.push({ item, match: value });
    else if (key !== undefined && newcomers.areMarked) lost.push(...toLost(key, item, context));
    for (const like of itemTraits(sync.resource, item, undefined).flatMap(
      (trait) => wanted.keysByTrait.get(trait) ?? [],
    )) {
      if (!wanted.alike.has(like)) wanted.alike.set(like, item.id);
    }
  }
  const ids = [...candidates.map(({ item }) => item.id), ...lost.map(({ cmsId }) => cmsId)];
  const owned = new Set<number>();
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    for (const id of await ledger.records.owned(sync.resource, ids.slice(start, start + IDS_PER_QUERY))) owned.add(id);
  }
  return {
    wanted,
    candidates: candidates.filter(({ item }) => !owned.has(item.id)),
    unknown: lost.filter(({ cmsId }) => !owned.has(cmsId)),
    unshown: Math.max(0, unshown),
  };
}

/** Reads the creates of a staged plan: without `adopt`, those that no earlier run has looked for. */
async function collectWanted(run: string, { isFirst }: Newcomers, { sync, ledger }: SearchContext): Promise<Wanted> {
  const match = sync.adopt?.match ?? [];
  const wanted: Wanted = { keys: new Set(), keysByMatch: new Map(), keysByTrait: new Map(), alike: new Map() };
  for await (const creates of ledger.plans.creates(run, sync.adopt ? undefined : sync.name)) {
    for (const { key, payload, resource } of creates) {
      wanted.keys.add(key);
      const value = valueIn(match, payload);
      if (value !== undefined) append(wanted.keysByMatch, value, key);
      if (isFirst && !sync.adopt) {
        const { same, similar } = likenessOf(resource, payload);
        for (const trait of [...same, ...similar]) append(wanted.keysByTrait, trait, key);
      }
      const { date, endDate } = payload;
      if (typeof date !== 'string' || (sync.adopt && value === undefined)) continue;
      const lastDay = typeof endDate === 'string' ? endDate : date;
      if (wanted.startDate === undefined || date < wanted.startDate) wanted.startDate = date;
      if (wanted.endDate === undefined || lastDay > wanted.endDate) wanted.endDate = lastDay;
    }
  }
  return wanted;
}

function listItems(
  { startDate, endDate }: Wanted,
  { areMarked }: Newcomers,
  { sync, cms }: SearchContext,
): AsyncGenerator<CmsItem, number | undefined> {
  if (sync.resource === 'accounts') return cms.accounts().list({ limit: ITEMS_PER_PAGE });
  // An item with an external id may be on any day; one like the record is on its day.
  const isOnItsDay = !areMarked && (!sync.adopt || sync.adopt.match.includes('date'));
  return cms.events(sync.instance).list({ limit: ITEMS_PER_PAGE, ...(isOnItsDay ? { startDate, endDate } : {}) });
}

function valueIn(match: readonly string[], attributes: Parameters<typeof matchKey>[1]): string | undefined {
  return match.length === 0 ? undefined : matchKey(match, attributes);
}

/**
 * The item of a record that the ledger does not have, as it remembers it. An event without a date would count as missing
 * whenever the feed lacks it, so it is left out.
 */
export function toLost(
  key: string,
  item: CmsItem,
  { sync, target: { externalId = '' } }: Pick<SearchContext, 'sync' | 'target'>,
): LostItem[] {
  const { id: cmsId, date, endDate } = item;
  const lost = { key, cmsId, resource: sync.resource, delivered: { [externalId]: item[externalId] } };
  if (sync.resource === 'accounts') return [lost];
  if (typeof date !== 'string' || !isIsoDate(date)) return [];
  return [{ ...lost, days: [date, typeof endDate === 'string' && isIsoDate(endDate) ? endDate : date] }];
}

function append(lists: Map<string, string[]>, name: string, key: string): void {
  const keys = lists.get(name);
  if (keys) keys.push(key);
  else lists.set(name, [key]);
}
