import { CmsError } from '../../cms/errors.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import type { OthersOf } from '../../ledger/plans/other-records.ts';
import type { Owner } from '../../ledger/records/item-ownership.ts';
import type { RunContext } from '../context/run-context.ts';
import { createLookIndex, type Look, lookHash, lookOf } from '../identity/look.ts';
import { itemTraits } from '../identity/sighting.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { type SearchContext, type SeenItem, search, type TakenItem, valueIn } from './candidates.ts';
import type { Newcomers } from './newcomers.ts';
import type { Sieve } from './sieve.ts';

/** So many items that the ledger knows and the list does not show are requested, to see whether they are still there. */
const MOST_CHECKED = 20;

/** An item that a new record looks like: the item of a record of another sync, or one that no record owns. */
export interface Twin {
  /** Null: the other record has no item yet. */
  cmsId: number | null;
  owner?: Owner;
}

/** A record that is to be created, although it looks like other items. */
export interface AlikeRecord {
  key: string;
  title: string;
  aboutHash: string;
  twins: [Twin, ...Twin[]];
}

/** What a list of the CMS shows. */
interface Found {
  seen: readonly SeenItem[];
  /** Items of other syncs by which the sync would adopt. */
  taken: readonly TakenItem[];
  sieve: Sieve;
  newcomers: Newcomers;
  /** Records that are held because their items may exist are looked up before they are created. */
  looksUpHeld: boolean;
}

type Known = Twin & { look: Look; isShown: boolean };

/**
 * Finds the creates of a plan that look like items of other syncs, like records that other syncs are about to create, or like
 * items of editors. Two records of the same sync may look alike.
 * @param settled keys of creates that are left out
 * @throws CmsError
 */
export async function findAlike(
  run: string,
  { seen, taken, sieve, newcomers, looksUpHeld }: Found,
  settled: ReadonlySet<string>,
  context: SearchContext & Pick<RunContext, 'targetId' | 'formerTargetId'>,
): Promise<AlikeRecord[]> {
  const { sync, ledger } = context;
  const known = createLookIndex<Known>();
  for (const { id: cmsId, look, key, owner } of seen) {
    // The items of the sync itself are left out, also those that only their external ids show.
    if (owner?.sync === sync.name || (!owner && key !== undefined)) continue;
    known.add({ cmsId, look, isShown: true, ...(owner && { owner }) });
  }
  const shown = new Set(seen.map(({ id }) => id));
  for await (const records of ledger.plans.others(run, othersOf(context))) {
    for (const { sync: name, key, cmsId, contents } of records) {
      const looks = contents.map((content) => lookOf(content, sync.resource));
      if (!looks.flatMap(itemTraits).some(sieve.has)) continue;
      const isShown = cmsId !== null && shown.has(cmsId);
      for (const look of looks) known.add({ cmsId, owner: { sync: name, key }, look, isShown });
    }
  }
  if (known.isEmpty() && taken.length === 0) return [];
  const isThere = createCheck(seen, context);
  const alike: AlikeRecord[] = [];
  for await (const page of ledger.plans.newcomers(run, sync.name)) {
    for (const create of page) {
      if (settled.has(create.key) || !search(create, newcomers, sync).looks) continue;
      const look = lookOf(create.payload, sync.resource);
      const match = taken.length > 0 ? valueIn(sync.adopt?.match ?? [], create.payload) : undefined;
      const found = [
        ...known.like(look),
        ...taken.flatMap((item) => (item.match === match ? [{ ...item, isShown: true }] : [])),
      ];
      const twins: Twin[] = [];
      for (const { cmsId, owner, isShown } of found) {
        if (twins.some((twin) => isSame(twin, { cmsId, owner }))) continue;
        if (isShown || cmsId === null || (await isThere(cmsId))) twins.push({ cmsId, ...(owner && { owner }) });
      }
      const [first, ...others] = mayBeTheirs(twins, !create.isUnsent || (looksUpHeld && create.isAmbiguous));
      if (first)
        alike.push({
          key: create.key,
          title: recordTitle(create.payload, sync.resource),
          aboutHash: lookHash(look),
          twins: [first, ...others],
        });
    }
  }
  return alike;
}

/** The condition by which the ledger finds the records of other syncs at the same destination. */
export function othersOf({
  sync,
  targetId,
  formerTargetId,
}: Pick<RunContext, 'sync' | 'targetId' | 'formerTargetId'>): OthersOf {
  return { sync: sync.name, resource: sync.resource, targets: [targetId, ...(formerTargetId ? [formerTargetId] : [])] };
}

/** An item that no record owns may be that of a record that is looked up before it is created. */
function mayBeTheirs(twins: Twin[], isLookedUp: boolean): Twin[] {
  return !isLookedUp || twins.every(({ owner }) => owner !== undefined) ? twins : [];
}

function isSame(one: Twin, other: Twin): boolean {
  if (one.cmsId !== null || other.cmsId !== null) return one.cmsId === other.cmsId;
  return one.owner?.sync === other.owner?.sync && one.owner?.key === other.owner?.key;
}

/** An item that the CMS refuses to show may be there. */
function unlessRefused(error: unknown): true {
  if (error instanceof CmsError && error.kind === 'permanent') return true;
  throw error;
}

/**
 * Whether the CMS still has an item that its list does not show. The ledger is believed beyond some requests, and if the list shows
 * no item that it knows: a CMS that shows nothing proves nothing.
 */
function createCheck(seen: readonly SeenItem[], context: SearchContext) {
  const isListed = seen.some(({ owner }) => owner !== undefined);
  const checks = new Map<number, Promise<boolean>>();
  return (cmsId: number): Promise<boolean> => {
    const known = checks.get(cmsId);
    if (known) return known;
    if (!isListed || checks.size >= MOST_CHECKED) return Promise.resolve(true);
    const item = itemsOf(context.sync.resource, context).get(cmsId);
    const check = unlessDeleted(item).then((shown) => shown !== undefined, unlessRefused);
    checks.set(cmsId, check);
    return check;
  };
}
