import type { CmsItem } from '../../cms/client.ts';
import type { RunContext } from '../context/run-context.ts';
import { externalIdOn } from '../items/external-id.ts';
import { toAdoption } from './adopted-state.ts';
import { findCandidates, type LikelyItem, type SearchContext, type SeenItem, type Wanted } from './candidates.ts';
import { findAlike } from './find-alike.ts';
import { matchGroup } from './match-groups.ts';
import { newcomersOf } from './newcomers.ts';
import { SHOWN_AFTER, seeWitnesses } from './witnesses.ts';

type AdoptContext = SearchContext & Pick<RunContext, 'targetId' | 'formerTargetId'>;

/** How many ids of a list are looked up in the ledger. */
const SAMPLE = 500;

/** What the CMS has of the records that a plan creates. */
export type Matches = Awaited<ReturnType<typeof matchExisting>>;

/**
 * Looks for the records that a staged plan creates among the items of the CMS: by their external ids if the ledger may have
 * lost them, and by the attributes in `adopt.match`; items that belong to other records are not adopted. The other records are
 * compared with the items that they look like. The items are listed once. Nothing is changed.
 * @param newest the newest items of the CMS, or some of them, if they were read already
 * @param options `looksUpHeld`: records that are held because their items may exist are looked up before they are created
 * @throws CmsError if the CMS cannot be searched
 */
export async function matchExisting(
  run: string,
  newest: readonly CmsItem[],
  context: AdoptContext,
  { looksUpHeld = false } = {},
) {
  const beganAt = context.runtime.monotonic();
  const { creates } = await context.ledger.plans.summarise(run);
  const newcomers = await newcomersOf(run, newest, context);
  const { wanted, candidates, unknown, unshown, isCut, lists, listed, ...found } = await findCandidates(
    run,
    creates,
    newcomers,
    context,
  );
  const { adopted, held } = matchAll(wanted, candidates, context);
  const settled = new Set([...adopted.keys(), ...held.map(({ key }) => key)]);
  return {
    /** How many records were compared. */
    creates,
    adopted,
    /** Records that do not match one to one. */
    held,
    /** The other records that look like items of other syncs or editors. */
    alike: await findAlike(run, { ...found, newcomers, looksUpHeld }, settled, context),
    /** Nothing was delivered before, and the sync does not adopt. */
    isFirst: newcomers.isFirst && !context.sync.adopt,
    /** Items with external ids of the sync for records that neither the plan creates nor the ledger has. */
    unknown,
    /** How many more items the CMS counts than its list shows, if the list has to prove the absence of a record. */
    unshown: newcomers.areMarked || newcomers.isFirst ? unshown : 0,
    /** Not all items were read to find those that the records look like. */
    isCut,
    /** Why the lists of the CMS prove nothing: they show none of the items that they should; absent: they do. */
    unseen: await doubtAbout({ newest, listed, seen: found.seen, beganAt }, context),
    /** The highest id that the CMS has shown. */
    newestId: [...newest, ...found.seen].reduce<number | undefined>(
      (most = 0, { id }) => Math.max(most, id),
      undefined,
    ),
    /** How many lists of the CMS were read. */
    lists,
  };
}

interface Listing {
  newest: readonly CmsItem[];
  listed: ReadonlySet<number>;
  seen: readonly SeenItem[];
  beganAt: number;
}

/** Finds out whether the lists show any item that the ledger knows, if it knows one that has to be there. */
async function doubtAbout({ newest, listed, seen, beganAt }: Listing, context: AdoptContext) {
  const { sync, target, ledger, runtime } = context;
  if (seen.some(({ owner }) => owner !== undefined)) return undefined;
  const some = [...newest.map(({ id }) => id), ...[...listed].slice(0, SAMPLE)];
  if ((await ledger.records.ownersOf(sync.resource, some)).size > 0) return undefined;
  const sought = { sync: sync.name, key: '', resource: sync.resource, quietSince: beganAt };
  const see = (ageMs: number) => {
    const ago = ageMs + runtime.monotonic() - beganAt;
    return seeWitnesses(sought, { ageMs: ago, isListed: (id) => listed.has(id) }, context);
  };
  const settled = await see(SHOWN_AFTER * target.lookupAfterMs);
  const isSeen = settled.is === 'shown' || settled.is === 'hidden';
  const { is, reason } = isSeen ? settled : await see(0);
  // A list may be late for what was just created.
  if (!isSeen && is === 'hidden') return undefined;
  // Editors may have deleted one or two: another item shows that the lists work.
  if (is === 'few') return newest.length + listed.size > 0 ? undefined : NOTHING_LISTED;
  return reason || undefined;
}

const NOTHING_LISTED = 'its list is empty, although it should have items';

/** Turns creates of a staged plan into updates of the items that they match, and holds those that match several. */
export async function adoptExisting(run: string, { adopted, held }: Matches, context: AdoptContext): Promise<void> {
  const { ledger, sync } = context;
  if (held.length > 0) await ledger.plans.hold(run, held);
  if (adopted.size === 0) return;
  for await (const records of ledger.plans.newcomers(run, sync.name)) {
    const found = records.flatMap((record) => {
      const item = adopted.get(record.key);
      return item ? [toAdoption(record, item, context)] : [];
    });
    await ledger.plans.adopt(run, found);
  }
}

/** An editor may have copied the item of a record with its external id, and rewritten the copy. */
function toUnlike(key: string, { id }: CmsItem) {
  const reason = `"${key}" is held: CMS item ${id} has its external id, but neither its title or day nor most of the rest.`;
  return { key, code: 'FF_ADOPT_AMBIGUOUS' as const, reason };
}

/** Matches records with items by external id, or by the attributes that identify a record if the item has no external id. */
function matchAll(wanted: Wanted, candidates: readonly LikelyItem[], { target }: Pick<AdoptContext, 'target'>) {
  const byKey = Map.groupBy(candidates, ({ key }) => key);
  const byMatch = Map.groupBy(candidates, ({ match }) => match);
  const adopted = new Map<string, CmsItem>();
  const held: Array<{ key: string; code: 'FF_ADOPT_AMBIGUOUS'; reason: string }> = [];
  for (const key of wanted.keys) {
    const marked = byKey.get(key) ?? [];
    const [one] = marked;
    if (one && wanted.unlike.has(key)) held.push(toUnlike(key, one.item));
    else match([key], marked, () => false);
  }
  for (const [value, keys] of wanted.keysByMatch) {
    const others = keys.filter((key) => !byKey.has(key));
    match(others, byMatch.get(value) ?? [], (item) => externalIdOn(item, target.externalId) !== undefined);
  }
  return { adopted, held };

  function match(keys: readonly string[], found: readonly LikelyItem[], isForeign: (item: CmsItem) => boolean) {
    const items = found.map(({ item }) => ({ id: item.id, isForeign: isForeign(item) }));
    const group = matchGroup({ keys, items });
    for (const key of keys) {
      if (group.is === 'adopted' && found[0]) adopted.set(key, found[0].item);
      if (group.is !== 'ambiguous') continue;
      held.push({ key, code: 'FF_ADOPT_AMBIGUOUS', reason: `"${key}" is held: ${group.reason}.` });
    }
  }
}
