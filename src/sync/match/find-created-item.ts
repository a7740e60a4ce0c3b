import type { Payload } from '../../core/record.ts';
import type { Quiet, RecordInDoubt } from '../../ledger/records/claimed-record.ts';
import { payloadsInDoubt } from '../../ledger/records/open-attempts.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { compare, createItemIndex, type FoundGrade, fitsContent } from '../identity/identity.ts';
import { itemTraits, sightingOf } from '../identity/sighting.ts';
import { callOf, itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { externalIdsOf } from '../items/external-id.ts';
import { hiddenItems, hidesNames } from './hidden-attributes.ts';
import { idList } from './match-groups.ts';
import { withoutNamed } from './named-by-another.ts';
import { type DoubtedCreate, proveAbsence, settledAt } from './prove-absence.ts';

/** How many items are read whose identifying attributes the lists do not show: the newest. */
const MOST_READ = 50;
/** Records that were looked up at about the same time share the second reading. */
const SHARE_MS = 100;

export type LookUpResult =
  | { is: 'oneItem'; cmsId: number }
  | { is: 'provenAbsent' }
  /** It remains unknown which item is the record's: a person has to decide. */
  | { is: 'several' | 'anothersItem'; reason: string }
  /** The CMS does not show enough to decide now. It may later. */
  | { is: 'unproven'; reason: string };

type LookUpContext = Pick<
  DeliveryContext,
  'sync' | 'target' | 'targetId' | 'cms' | 'ledger' | 'search' | 'call' | 'runtime'
>;

/**
 * Looks for the item that an unconfirmed create of this record may have left in the CMS: by the external id, otherwise by the
 * attributes that identify such an item, in the desired payload and in payloads that earlier creates may have sent. Items that
 * belong to other records are ignored. The absence of an item has to be proven (see `proveAbsence`): if the lists may be late, they
 * are read again when they have to show it.
 * @throws CmsError if the CMS cannot be searched
 */
export async function findCreatedItem(record: RecordInDoubt, context: LookUpContext): Promise<LookUpResult> {
  let quietSince = await untilQuiet(record.quiet, context);
  const create = createOf(record, context);
  let isAgain = false;
  for (;;) {
    const found = await look(record, { quietSince, create }, context);
    if (found !== 'again' && found !== 'later') return found;
    if (found === 'again' && isAgain) return { is: 'provenAbsent' };
    isAgain = found === 'again';
    quietSince = Math.max(context.runtime.monotonic(), isAgain ? 0 : settledAt(create, context));
    if (found === 'later') await sleepUntil(quietSince + SHARE_MS, context);
  }
}

/** The creates that may have left an item of the record. */
function createOf({ knows, open, quiet }: RecordInDoubt, { target }: Pick<LookUpContext, 'target'>): DoubtedCreate {
  // The claim of a process that has exited ends a quiet time after its last request at the earliest.
  const { since, failedAt = since - target.lookupAfterMs } = quiet;
  return { sentUntil: failedAt, isRefused: knows === 'refused' || !open.some(({ doubt }) => doubt === 'sent') };
}

/** Waits if the ledger's clock may have ended a lease or a pause too early. Returns when the reading may begin. */
async function untilQuiet(
  { since, doubtedSince }: Quiet,
  context: Pick<LookUpContext, 'target' | 'call' | 'runtime'>,
): Promise<number> {
  if (doubtedSince === undefined) return since;
  const quiet = doubtedSince + context.target.lookupAfterMs;
  await sleepUntil(quiet, context);
  return Math.max(since, quiet);
}

/** Waits until a moment of the monotonic clock, or until the process stops: then the search reports the stop. */
async function sleepUntil(moment: number, { call, runtime }: Pick<LookUpContext, 'call' | 'runtime'>): Promise<void> {
  const signal = call?.stopping;
  // On a busy machine, a timer fires some milliseconds early.
  while (runtime.monotonic() < moment && !signal?.aborted) {
    await runtime.sleep(moment - runtime.monotonic() + 1, { signal }).catch(() => {});
  }
}

async function look(
  record: RecordInDoubt,
  { quietSince, create }: { quietSince: number; create: DoubtedCreate },
  context: LookUpContext,
): Promise<LookUpResult | 'again' | 'later'> {
  const { ledger, search } = context;
  const payloads = createPayloads(record);
  const looks = payloads.map((payload) => sightingOf(payload, record.resource));
  const expected = { externalIds: externalIdsOf(record, context.sync), looks };
  const sought = { ...record, quietSince };
  const indexes = await search.candidates(sought, payloads, callOf(context));
  const searched = [...indexes, ...(await search.newest(sought, callOf(context)))];
  const idsOf = (grade: FoundGrade, among = searched) => among.flatMap((index) => index.idsOf(grade, expected));

  const marked = idsOf('id');
  const withExternalId = await unowned(marked);
  const [stale] = await withAnotherId(marked.filter((id) => !withExternalId.includes(id)));
  if (stale !== undefined) {
    return doubtful(
      'anothersItem',
      record,
      `item ${stale} has its external id, but the ledger has the item as another record`,
    );
  }
  const same = withExternalId.length > 0 ? withExternalId : await unowned(idsOf('same'));
  const [cmsId] = same;
  if (same.length > 1)
    return doubtful('several', record, `the CMS has ${same.length} items that match it (${idList(same)})`);
  // A CMS may have refused an account because of the one that has its names. Of events, it refuses none because of another.
  const isRefused = record.knows === 'refused' && record.open.some(({ isTemporary }) => !isTemporary);
  const mayBeTaken = record.resource === 'accounts' && isRefused && withExternalId.length === 0;
  if (cmsId !== undefined && mayBeTaken)
    return doubtful('several', record, `the CMS has refused it, and has an item like it (${idList(same)})`);
  if (cmsId !== undefined) return (await isUnlike(cmsId)) ? rewritten(cmsId) : { is: 'oneItem', cmsId };

  const found = await readHidden();
  if (found) return found;

  const similar = await unowned(idsOf('similar'));
  if (similar.length > 0) {
    return doubtful(
      'several',
      record,
      `the CMS has an account with its email or username, but not both (${idList(similar)})`,
    );
  }
  const changed = await withoutNamed(record, await unowned(idsOf('rewritten', indexes)), indexes, context);
  if (changed.length > 0) {
    return doubtful('unproven', record, `the CMS may have changed what it was sent (${idList(changed)})`);
  }
  const sightings = indexes.flatMap((index) => [...index.sightings.values()]);
  const isNameless = looks.every((look) => itemTraits(look).length === 0);
  if (isNameless && sightings.length > 0 && sightings.every(({ externalId }) => externalId === undefined)) {
    return doubtful(
      'several',
      record,
      'it has neither email nor username, and the items in the CMS have no external ids',
    );
  }
  const absence = await proveAbsence(record, indexes, context, { create });
  if (absence.is === 'absent') return { is: 'provenAbsent' };
  return absence.is === 'unproven' ? doubtful('unproven', record, absence.reason) : absence.is;

  /** Reads the items of which the lists do not show enough; undefined: none of them is the record's. */
  async function readHidden(): Promise<LookUpResult | undefined> {
    const hidden = await unowned(await hiddenItems(record, indexes, looks, context));
    const known = createItemIndex();
    for (const id of hidden.slice(0, MOST_READ)) {
      const live = await unlessDeleted(itemsOf(record.resource, context).get(id));
      if (live?.id === id) known.add(id, sightingOf(live, record.resource, context.target.externalId));
    }
    const [one, ...more] = [known.idsOf('id', expected), known.idsOf('same', expected)].find((ids) => ids[0]) ?? [];
    const similar = [...known.idsOf('similar', expected), ...known.idsOf('rewritten', expected)];
    if (one !== undefined && more.length === 0) return { is: 'oneItem', cmsId: one };
    if (one !== undefined || similar.length > 0) {
      const ids = one === undefined ? similar : [one, ...more];
      return doubtful('several', record, `the CMS has ${ids.length} items that may be it (${idList(ids)})`);
    }
    const isShown = known.sightings.size === 0 || !hidesNames([...known.sightings.values()], looks);
    if (hidden.length <= MOST_READ && isShown) return undefined;
    return doubtful('unproven', record, `the CMS does not show what identifies its items (${idList(hidden)})`);
  }

  /**
   * Whether the event with the external id of the record has nothing else of it. The lists do not have the whole item. The names of
   * accounts are changed by people, and an account is hardly ever copied.
   */
  async function isUnlike(id: number): Promise<boolean> {
    if (record.resource === 'accounts') return false;
    const { externalId, ...sighting } = searched.map(({ sightings }) => sightings.get(id)).find(Boolean) ?? {};
    if (externalId === undefined || compare(sighting, { externalIds: [], looks }) !== 'other') return false;
    const live = await unlessDeleted(itemsOf(record.resource, context).get(id));
    return live !== undefined && !fitsContent(live, payloads, record.resource);
  }

  function rewritten(id: number): LookUpResult {
    return doubtful(
      'several',
      record,
      `item ${id} has its external id, but nothing else of it: an editor may have copied it`,
    );
  }

  /** Ids of other records' items that were delivered with another external id: a restored CMS has reused these ids. */
  async function withAnotherId(ids: readonly number[]): Promise<number[]> {
    const delivered = await ledger.records.deliveredAs(record.resource, ids);
    return ids.filter(
      (id) => !expected.externalIds.some((each) => each === delivered.get(id)?.[context.target.externalId ?? '']),
    );
  }

  async function unowned(found: readonly number[]): Promise<number[]> {
    const ids = [...new Set(found)];
    const owned = await ledger.records.ownersOf(record.resource, ids);
    return ids.filter((id) => !owned.has(id));
  }
}

/** The payloads that a create of the record may have sent. The payload of a mark or restore is not one of them. */
function createPayloads({ goal, desired, open }: RecordInDoubt): Payload[] {
  const unconfirmed = payloadsInDoubt(open, { delivered: null, desired });
  return goal.is === 'exactly' && unconfirmed.length > 0 ? unconfirmed : [desired, ...unconfirmed];
}

function doubtful(
  is: 'several' | 'anothersItem' | 'unproven',
  { sync, key }: RecordInDoubt,
  reason: string,
): LookUpResult {
  const adopt = `name its item (feedferry explain ${sync} "${key}" --adopt ID)`;
  const retry = `make it unique in the CMS and try again (feedferry retry ${sync} "${key}")`;
  return { is, reason: `"${key}" may have been created already: ${reason}. Either ${adopt}, or ${retry}.` };
}
