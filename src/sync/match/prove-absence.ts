import { type ClaimedRecord, sentDelete } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { callOf, itemsOf, unlessDeleted } from '../items/cms-items.ts';
import type { ItemIndex } from '../search/item-traits.ts';
import { type AbsenceVerdict, judgeAbsence, type KnownFacts } from './absence-rules.ts';
import { SHOWN_AFTER, seeWitnesses } from './witnesses.ts';

type ProofContext = Pick<
  DeliveryContext,
  'sync' | 'target' | 'targetId' | 'cms' | 'ledger' | 'search' | 'call' | 'runtime'
>;

/** A create whose item is looked up. */
export interface DoubtedCreate {
  /** The last moment at which it may have been sent (by the monotonic clock). */
  sentUntil: number;
  /** Whether the CMS has refused it. */
  isRefused: boolean;
}

export type Absence = { is: Exclude<AbsenceVerdict, 'unproven'> } | { is: 'unproven'; reason: string };

/** Lists may lack the item of a create for so many times `target.lookupAfter`: by default, for a minute and a half. */
const SETTLED_AFTER = 3;
/** How many items are tried as signs that the CMS shows items at all. */
const STRANGERS = 3;
/** How many ids of a reading are looked up in the ledger. */
const SAMPLE = 500;

/** When lists have to show the item of a create (by the monotonic clock). */
export function settledAt({ sentUntil, isRefused }: DoubtedCreate, { target }: Pick<ProofContext, 'target'>): number {
  return sentUntil + target.lookupAfterMs * (isRefused ? 1 : SETTLED_AFTER);
}

/**
 * Proves that the CMS has no item of a record, although a reading of its lists shows none. Collects what speaks for and against
 * it, and judges that by the rules of absence-rules.ts.
 * @param indexes the reading of the lists that have to show the item
 * @param options `create`: what may have left the item; absent: the CMS returns 404 for the known item
 * @throws CmsError
 */
export async function proveAbsence(
  record: ClaimedRecord,
  indexes: readonly ItemIndex[],
  context: ProofContext,
  { create }: { create?: DoubtedCreate } = {},
): Promise<Absence> {
  const { ledger, search, runtime, target } = context;
  const quietSince = Math.min(...indexes.map(({ beganAt }) => beganAt));
  const isDeleted = sentDelete(record)?.answeredAt !== undefined;
  const known: KnownFacts = { question: create ? 'created' : 'deleted', deletion: isDeleted ? 'confirmed' : 'none' };
  let reason = '';
  if (isDeleted) return decide();
  if (create && !create.isRefused) {
    known.create = ageOf(create);
    if (known.create === 'young') return decide();
  }
  const short = indexes.find(({ counted, sightings }) => counted > sightings.size);
  known.list = short ? 'short' : 'whole';
  if (short) reason = `the list of the CMS counts ${short.counted} items and shows ${short.sightings.size}`;
  else {
    known.others = await seeOthers();
    // A refused create is hardly ever applied: only if nothing else is known, the lists get the time to show its item.
    if (create?.isRefused && known.others === 'none') known.create = ageOf(create);
    const isAlone = known.others === 'few' || (known.others === 'none' && !create);
    // A 404 may be that of a CMS that shows items in its lists only: the list that lacks this one may be that of other days.
    const isListed = known.others === 'shown' && !create;
    if (isAlone || isListed) known.strangers = await seeStrangers();
    if (known.others === 'shown') known.reading = await seeKnown();
  }
  return decide();

  function decide(): Absence {
    const is = judgeAbsence(known);
    return is === 'unproven' ? { is, reason: reason || NOTHING_SHOWN } : { is };
  }

  function ageOf(doubted: DoubtedCreate): KnownFacts['create'] {
    return quietSince >= settledAt(doubted, context) ? 'settled' : 'young';
  }

  async function seeOthers(): Promise<KnownFacts['others']> {
    const lateMs = create && !create.isRefused ? SHOWN_AFTER * target.lookupAfterMs : 0;
    const ageMs = runtime.monotonic() - quietSince + lateMs;
    const isListed = (cmsId: number) => indexes.some(({ sightings }) => sightings.has(cmsId));
    const { date } = record.desired;
    const witnesses = await seeWitnesses({ ...record, quietSince }, { date, ageMs, isListed }, context);
    reason = witnesses.reason;
    return witnesses.is;
  }

  /** Whether the CMS shows any other item: in this reading, or else on a page of all. */
  async function seeStrangers(): Promise<KnownFacts['strangers']> {
    const own = 'item' in record ? record.item.cmsId : undefined;
    const of = async (reading: readonly ItemIndex[]) => {
      const ids = reading.flatMap(({ sightings }) => [...sightings.keys()]).filter((id) => id !== own);
      for (const id of ids.slice(0, STRANGERS)) {
        const item = await unlessDeleted(itemsOf(record.resource, context).get(id));
        if (item?.id === id) return true;
      }
      return false;
    };
    const isSeen = (await of(indexes)) || (await of([await search.sample({ ...record, quietSince }, callOf(context))]));
    return isSeen ? 'shown' : 'none';
  }

  async function seeKnown(): Promise<KnownFacts['reading']> {
    const ids = ({ sightings }: ItemIndex) => [...sightings.keys()].slice(0, SAMPLE);
    const owned = await Promise.all(indexes.map((index) => ledger.records.ownersOf(record.resource, ids(index))));
    return owned.every(({ size }) => size > 0) ? 'known' : 'strange';
  }
}

const NOTHING_SHOWN = 'nothing else that the CMS shows proves that it can be read';
