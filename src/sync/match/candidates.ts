import type { CmsItem } from '../../cms/client.ts';
import { isIsoDate } from '../../core/dates/iso-date.ts';
import type { LostItem, StagedCreate } from '../../ledger/plans/adoptions.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { createItemIndex, fitsContent } from '../identity/identity.ts';
import { itemTraits, type Sighting, sightingOf } from '../identity/sighting.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';
import { keyOn } from '../items/external-id.ts';
import { matchKey } from '../items/values.ts';
import type { Newcomers } from './newcomers.ts';
import { createSieve, type Sieve } from './sieve.ts';

const IDS_PER_QUERY = 500;
/** Texts of a record at most, as a rule. */
const TEXTS_PER_RECORD = 4;

type SearchContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'ledger'>;

/** Records that a run is about to create and that the CMS may already have. */
export interface Wanted {
  /** By external id. */
  keys: Set<string>;
  /** Those of `keys` whose items have nothing else of the record. */
  unlike: Set<string>;
  /** By their values in the attributes that the sync adopts by (see `matchKey`). */
  keysByMatch: Map<string, string[]>;
  /** Before the first delivery of a sync that does not adopt: key of a record that looks like an item → the item's id. */
  alike: Map<string, number>;
}

/** An item of the CMS that may be a wanted record: it has the external id or the identifying values of one. */
export interface LikelyItem {
  item: CmsItem;
  key?: string;
  match?: string;
}

/** What a record and an item can have in common. */
interface Marks {
  key?: string;
  match?: string;
  look?: Sighting;
}

type MarkedItem = Marks & { item: CmsItem; look: Sighting };

/**
 * Lists the items of the CMS that may be among the records to be created, without items that belong to other records. The
 * records are read twice, because a plan may be larger than the memory.
 * @returns also `unknown`: items with external ids of the sync for records that neither the run creates nor the ledger has;
 * `unshown`: how many more items the CMS counts than its list shows
 * @throws CmsError
 */
export async function findCandidates(run: string, newcomers: Newcomers, context: SearchContext) {
  const { sync, ledger } = context;
  const { sieve, ...days } = await sift(run, newcomers, context);
  if (sieve.isEmpty()) return { wanted: noneWanted(), candidates: [], unknown: [], unshown: 0 };
  const { items, lost, unshown } = await listItems(sieve, days, newcomers, context);
  const wanted = await findWanted(items, run, newcomers, context);
  const candidates: LikelyItem[] = [];
  for (const { item, key, match } of items) {
    if (key !== undefined && wanted.keys.has(key)) candidates.push({ item, key });
    else if (match !== undefined && wanted.keysByMatch.has(match)) candidates.push({ item, match });
    else if (key !== undefined && newcomers.areMarked) lost.push(...toLost(key, item, context));
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
    unshown,
  };
}

function noneWanted(): Wanted {
  return { keys: new Set(), unlike: new Set(), keysByMatch: new Map(), alike: new Map() };
}

/** A sieve of the texts by which the records are recognised, and the first and last day of the records. */
async function sift(run: string, newcomers: Newcomers, context: SearchContext) {
  const sieve = createSieve(TEXTS_PER_RECORD * (await context.ledger.plans.countCreates(run)));
  const days: { startDate?: string; endDate?: string } = {};
  for await (const create of creates(run, newcomers, context)) {
    const marks = marksOf(create, newcomers, context);
    for (const text of textsOf(marks)) sieve.add(text);
    const { date, endDate } = create.payload;
    if (typeof date !== 'string' || (context.sync.adopt && marks.match === undefined)) continue;
    const lastDay = typeof endDate === 'string' ? endDate : date;
    if (days.startDate === undefined || date < days.startDate) days.startDate = date;
    if (days.endDate === undefined || lastDay > days.endDate) days.endDate = lastDay;
  }
  return { sieve, ...days };
}

/** The creates of a staged plan. Without `adopt`, only those that no earlier run has searched for, or that were never sent. */
async function* creates(
  run: string,
  { areMarked }: Newcomers,
  { sync, ledger }: SearchContext,
): AsyncGenerator<StagedCreate> {
  const found = ledger.plans.creates(run, sync.adopt ? undefined : sync.name, { unsent: areMarked });
  for await (const page of found) yield* page;
}

function marksOf({ key, payload, resource }: StagedCreate, { isFirst }: Newcomers, { sync }: SearchContext): Marks {
  const look = isFirst && !sync.adopt ? sightingOf(payload, resource) : undefined;
  return { key, match: valueIn(sync.adopt?.match ?? [], payload), look };
}

function textsOf({ key, match, look }: Marks): string[] {
  const given = [...(key === undefined ? [] : [`key ${key}`]), ...(match === undefined ? [] : [`match ${match}`])];
  return [...given, ...(look ? itemTraits(look) : [])];
}

/** Lists the items that the sieve recognises, and other items with an external id of the sync. */
async function listItems(
  sieve: Sieve,
  { startDate, endDate }: { startDate?: string; endDate?: string },
  { areMarked }: Newcomers,
  context: SearchContext,
) {
  const { sync, target, cms } = context;
  // An item with an external id may be on any day; an item that only resembles a record is on the record's day.
  const isOnItsDay = !areMarked && (!sync.adopt || sync.adopt.match.includes('date'));
  const call = { acceptsHidden: true, isProof: true };
  const list =
    sync.resource === 'accounts'
      ? cms.accounts().list({ limit: ITEMS_PER_PAGE }, call)
      : cms.events(sync.instance).list({ limit: ITEMS_PER_PAGE, ...(isOnItsDay ? { startDate, endDate } : {}) }, call);
  const items: MarkedItem[] = [];
  const lost: LostItem[] = [];
  let unshown = 0;
  for (;;) {
    const { done, value: item } = await list.next();
    if (done) return { items, lost, unshown: Math.max(0, unshown + (item ?? 0)) };
    unshown -= 1;
    const key = keyOn(item, sync, target.externalId);
    const look = sightingOf(item, sync.resource);
    const marked = { item, key, match: valueIn(sync.adopt?.match ?? [], item), look };
    if (textsOf(marked).some(sieve.has)) items.push(marked);
    else if (key !== undefined && areMarked) lost.push(...toLost(key, item, context));
  }
}

async function findWanted(
  items: readonly MarkedItem[],
  run: string,
  newcomers: Newcomers,
  context: SearchContext,
): Promise<Wanted> {
  const wanted = noneWanted();
  // As a rule, none of the items is like a record, and the records need not be read again.
  if (items.length === 0) return wanted;
  const byKey = Map.groupBy(items, ({ key }) => key);
  const matches = new Set(items.map(({ match }) => match));
  const index = createItemIndex();
  for (const { item, look } of items) index.add(item.id, look);
  for await (const create of creates(run, newcomers, context)) {
    const { match, look } = marksOf(create, newcomers, context);
    const marked = byKey.get(create.key) ?? [];
    if (marked.length > 0) wanted.keys.add(create.key);
    const [one, ...more] = marked;
    if (one && more.length === 0 && !fitsContent(one.item, [create.payload], create.resource)) {
      wanted.unlike.add(create.key);
    }
    if (match !== undefined && matches.has(match)) append(wanted.keysByMatch, match, create.key);
    const expected = { externalIds: [], looks: look ? [look] : [] };
    const [alike] = [...index.idsOf('same', expected), ...index.idsOf('similar', expected)];
    if (alike !== undefined) wanted.alike.set(create.key, alike);
  }
  return wanted;
}

function valueIn(match: readonly string[], attributes: Parameters<typeof matchKey>[1]): string | undefined {
  return match.length === 0 ? undefined : matchKey(match, attributes);
}

/**
 * The item of a record that is not in the ledger, in the form in which the ledger remembers it. An event without a date is
 * left out, because it would count as missing whenever the feed lacks it.
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
