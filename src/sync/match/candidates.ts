import type { CmsItem } from '../../cms/client.ts';
import { CmsError } from '../../cms/errors.ts';
import type { SyncConfig } from '../../config/types.ts';
import { isIsoDate } from '../../core/dates/iso-date.ts';
import type { LostItem, Newcomer, StagedCreate } from '../../ledger/plans/adoptions.ts';
import type { Owner } from '../../ledger/records/item-ownership.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { fitsContent } from '../identity/identity.ts';
import { type Look, lookOf } from '../identity/look.ts';
import { itemTraits } from '../identity/sighting.ts';
import { keyOn } from '../items/external-id.ts';
import { matchKey } from '../items/values.ts';
import { createDayGroups, type Days } from '../search/list-days.ts';
import { findAccounts } from './find-accounts.ts';
import { listItems } from './list-items.ts';
import type { Newcomers } from './newcomers.ts';
import { createSieve, type Sieve } from './sieve.ts';

/** Texts of a record at most, as a rule. */
const TEXTS_PER_RECORD = 4;

export type SearchContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'ledger' | 'search' | 'runtime' | 'call'>;

/** Records that a run is about to create and that the CMS may already have. */
export interface Wanted {
  /** By external id. */
  keys: Set<string>;
  /** Those of `keys` whose items have nothing else of the record. */
  unlike: Set<string>;
  /** By their values in the attributes that the sync adopts by (see `matchKey`). */
  keysByMatch: Map<string, string[]>;
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
  look: Look;
}

/** An item of the CMS that may be a record that a run is about to create, or look like one. */
export type MarkedItem = Marks & { item: CmsItem };

/** An item of another sync that has the values by which the sync adopts. */
export interface TakenItem {
  match: string;
  cmsId: number;
  owner: Owner;
}

/** An item that may look like a record that a run is about to create. */
export interface SeenItem {
  id: number;
  look: Look;
  /** Key of the record of the sync whose external id the item has. */
  key: string | undefined;
  owner: Owner | undefined;
}

/**
 * Lists the items of the CMS that may be among the records to be created, or look like one of them. The records are read twice,
 * because a plan may be larger than the memory.
 * @param creates how many there are
 * @returns `listed`: the ids of all items that were read; `seen`: those that may look like one, and few others; `candidates`: those that may be such a record and belong to
 * none; `taken`: items of other syncs by which the sync would adopt; `unknown`: items with external ids of the sync for records that
 * neither the run creates nor the ledger has; `unshown`: how many more items the CMS counts than its list shows; `isCut`: not all
 * items were read; `lists`: how many lists were read
 * @throws CmsError
 */
export async function findCandidates(run: string, creates: number, newcomers: Newcomers, context: SearchContext) {
  const { sync, ledger } = context;
  const { sieve, days } = await sift(run, creates, newcomers, context);
  if (sieve.isEmpty()) return nothing(sieve);
  const isProof = hasToProve(newcomers, sync);
  if (sync.resource === 'accounts' && !isProof) {
    const accounts = await findAccounts(run, sieve, context).catch(unlessRefused);
    if (!accounts) return { ...nothing(sieve), isCut: true, lists: 1 };
    const found = [...accounts.looks];
    const owners = await ledger.records.ownersOf(
      sync.resource,
      found.map(([id]) => id),
    );
    const seen = found.map(([id, look]): SeenItem => ({ id, look, key: undefined, owner: owners.get(id) }));
    return { ...nothing(sieve), seen, listed: accounts.listed, lists: 1 };
  }
  const listing = listMarked(sieve, days, newcomers, context);
  const marked = await (isProof ? listing : listing.catch(unlessRefused));
  if (!marked) return { ...nothing(sieve), isCut: true };
  const { items, lost, ...listed } = marked;
  const wanted = await findWanted(items, run, newcomers, context);
  const candidates: LikelyItem[] = [];
  for (const { item, key, match } of items) {
    if (key !== undefined && wanted.keys.has(key)) candidates.push({ item, key });
    else if (match !== undefined && wanted.keysByMatch.has(match)) candidates.push({ item, match });
    else if (key !== undefined && newcomers.areMarked) lost.push(...toLost(key, item, context));
  }
  const ids = [...items.map(({ item }) => item.id), ...lost.map(({ cmsId }) => cmsId)];
  const owners = await ledger.records.ownersOf(sync.resource, ids);
  return {
    wanted,
    sieve,
    seen: items.map(({ item: { id }, look, key }): SeenItem => ({ id, look, key, owner: owners.get(id) })),
    candidates: candidates.filter(({ item }) => !owners.has(item.id)),
    taken: candidates.flatMap(({ item, match }) => {
      const owner = owners.get(item.id);
      return match !== undefined && owner && owner.sync !== sync.name ? [{ match, cmsId: item.id, owner }] : [];
    }),
    unknown: lost.filter(({ cmsId }) => !owners.has(cmsId)),
    ...listed,
  };
}

/** Whether the list has to show what the ledger has lost, or what the sync adopts: then it has to be whole. */
function hasToProve({ areMarked, isFirst }: Newcomers, { adopt }: Pick<SyncConfig, 'adopt'>): boolean {
  return areMarked || isFirst || adopt !== undefined;
}

/** A CMS that refuses such a list may take creates all the same. The ledger knows the items of other syncs. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof CmsError) || error.kind !== 'permanent') throw error;
}

function nothing(sieve: Sieve) {
  return {
    wanted: noneWanted(),
    sieve,
    listed: new Set() as ReadonlySet<number>,
    seen: [] as SeenItem[],
    candidates: [] as LikelyItem[],
    taken: [] as TakenItem[],
    unknown: [] as LostItem[],
    unshown: 0,
    isCut: false,
    lists: 0,
  };
}

function noneWanted(): Wanted {
  return { keys: new Set(), unlike: new Set(), keysByMatch: new Map() };
}

/** A sieve of the texts by which the records are recognised, and the days of the records. */
async function sift(run: string, creates: number, newcomers: Newcomers, { sync, ledger }: SearchContext) {
  const sieve = createSieve(TEXTS_PER_RECORD * creates);
  const days = createDayGroups();
  for await (const page of ledger.plans.newcomers(run, sync.name)) {
    for (const create of page) {
      const { isSought, looks } = search(create, newcomers, sync);
      if (!isSought && !looks) continue;
      const marks = marksOf(create, sync);
      for (const text of [...(isSought ? idTexts(marks) : []), ...(looks ? itemTraits(marks.look) : [])])
        sieve.add(text);
      if (looks || !sync.adopt || marks.match !== undefined) days.add(create.payload);
    }
  }
  return { sieve, days: days.groups() };
}

/**
 * How a record is searched for. `isSought`: by its external id and by what the sync adopts by; without `adopt`, only if no
 * earlier run has searched for it, or if it was never sent. `looks`: by what it looks like.
 */
export function search(
  { isUnseen, isUnsent, isUndo }: Newcomer,
  { areMarked }: Newcomers,
  { adopt, alike }: Pick<SyncConfig, 'adopt' | 'alike'>,
) {
  const isNew = areMarked ? isUnsent : isUnseen;
  return { isSought: adopt !== undefined || isNew, looks: alike !== 'allow' && !isUndo };
}

function marksOf({ key, payload, resource }: StagedCreate, { adopt }: SyncConfig): Marks {
  return { key, match: valueIn(adopt?.match ?? [], payload), look: lookOf(payload, resource) };
}

function idTexts({ key, match }: Marks): string[] {
  return [...(key === undefined ? [] : [`key ${key}`]), ...(match === undefined ? [] : [`match ${match}`])];
}

/** Lists the items that the sieve recognises, and other items with an external id of the sync. */
async function listMarked(sieve: Sieve, days: readonly Days[], newcomers: Newcomers, context: SearchContext) {
  const { areMarked } = newcomers;
  const { sync, target } = context;
  // An item with an external id may be on any day; an item that only resembles a record is on the record's day.
  const isOnItsDay = sync.resource === 'events' && !areMarked && (!sync.adopt || sync.adopt.match.includes('date'));
  const list = listItems(isOnItsDay ? days : undefined, hasToProve(newcomers, sync), context);
  const items: MarkedItem[] = [];
  const lost: LostItem[] = [];
  for (;;) {
    const { done, value } = await list.next();
    if (done) return { items, lost, lists: isOnItsDay ? days.length : 1, ...value };
    const key = keyOn(value, sync, target.externalId);
    const marked = {
      item: value,
      key,
      match: valueIn(sync.adopt?.match ?? [], value),
      look: lookOf(value, sync.resource),
    };
    if ([...idTexts(marked), ...itemTraits(marked.look)].some(sieve.has)) items.push(marked);
    else if (key !== undefined && areMarked) lost.push(...toLost(key, value, context));
  }
}

async function findWanted(
  items: readonly MarkedItem[],
  run: string,
  newcomers: Newcomers,
  { sync, ledger }: SearchContext,
): Promise<Wanted> {
  const wanted = noneWanted();
  const byKey = Map.groupBy(items, ({ key }) => key);
  const matches = new Set(items.map(({ match }) => match));
  // As a rule, none of the items has what a record is known by, and the records need not be read again.
  if (![...byKey.keys(), ...matches].some((value) => value !== undefined)) return wanted;
  for await (const page of ledger.plans.newcomers(run, sync.name)) {
    for (const create of page) {
      if (!search(create, newcomers, sync).isSought) continue;
      const { match } = marksOf(create, sync);
      const marked = byKey.get(create.key) ?? [];
      if (marked.length > 0) wanted.keys.add(create.key);
      const [one, ...more] = marked;
      if (one && more.length === 0 && !fitsContent(one.item, [create.payload], create.resource)) {
        wanted.unlike.add(create.key);
      }
      if (match !== undefined && matches.has(match)) append(wanted.keysByMatch, match, create.key);
    }
  }
  return wanted;
}

/** The values by which the sync adopts; undefined if it does not adopt, or one is empty. */
export function valueIn(match: readonly string[], attributes: Parameters<typeof matchKey>[1]): string | undefined {
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
