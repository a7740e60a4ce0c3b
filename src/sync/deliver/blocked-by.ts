import { CmsError } from '../../cms/errors.ts';
import type { Json, Payload } from '../../core/record.ts';
import { type ClaimedRecord, itemOf } from '../../ledger/records/claimed-record.ts';
import type { Holder } from '../../ledger/records/item-ownership.ts';
import { sharesValue, uniqueAttributes } from '../compare/unique-values.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';

/** Chains of records that wait for each other are followed so far. */
const LONGEST_CHAIN = 20;

/** Each search reads all records of the sync. A run in which the CMS refuses most records is not slowed down. */
const MOST_SEARCHES = 1000;
const searches = new WeakMap<DeliveryContext['ledger'], { run: string; count: number }>();

/** Another record of the sync, whose account has a value that this record wants. */
export interface Blocker {
  key: string;
  /** Whether it is about to give the value up. */
  isLeaving: boolean;
  /** A sentence for people. */
  reason: string;
}

/** Finds the record that may be why the CMS refuses another one; undefined: no record of the sync has its values. */
export async function blockerOf(
  error: unknown,
  record: ClaimedRecord,
  { ledger }: Pick<DeliveryContext, 'ledger'>,
): Promise<Blocker | undefined> {
  if (!(error instanceof CmsError) || error.kind !== 'permanent' || error.code === 'FF_CMS_NOT_FOUND') return undefined;
  if (record.resource !== 'accounts' || record.goal.is === 'gone' || hasSearchedEnough(record, ledger))
    return undefined;
  for (const attribute of uniqueAttributes) {
    const value = record.desired[attribute];
    if (!isName(value) || sharesValue(attribute, record.desired, itemOf(record)?.delivered ?? {})) continue;
    const holder = await ledger.records.holderOf(record, attribute, value);
    if (holder) return describe(holder, { attribute, value }, await fateOf(holder, attribute));
  }
  return undefined;

  /** What becomes of the value that a record has: follows what that record waits for, and so on. */
  async function fateOf(holder: Holder, attribute: string): Promise<Fate> {
    if (holder.isMissing && !holder.isPending) return 'missing';
    let [last, held]: [Holder, Payload] = [holder, record.desired];
    let isLeaving = true;
    for (let step = 0; step < LONGEST_CHAIN; step += 1) {
      if (sharesValue(attribute, held, last.desired)) return last === holder ? 'stays' : 'waits';
      isLeaving &&= last.isPending;
      const wanted = last.desired[attribute];
      const waiting = { ...record, key: last.key };
      const next = isName(wanted) ? await ledger.records.holderOf(waiting, attribute, wanted) : undefined;
      if (!next) return isLeaving ? 'leaves' : 'waits';
      if (next.key === record.key) return 'waitsForThis';
      [last, held] = [next, last.desired];
    }
    return 'waits';
  }
}

function hasSearchedEnough({ run }: ClaimedRecord, ledger: DeliveryContext['ledger']): boolean {
  const before = searches.get(ledger);
  const count = before?.run === run ? before.count : 0;
  searches.set(ledger, { run, count: count + 1 });
  return count >= MOST_SEARCHES;
}

type Fate = 'leaves' | 'stays' | 'missing' | 'waits' | 'waitsForThis';

function describe(
  { key, cmsId }: Holder,
  { attribute, value }: { attribute: string; value: string },
  fate: Fate,
): Blocker {
  // A record that is delivered in the same run may have its account by now, or not yet.
  const owner = cmsId === null || fate === 'stays' ? `the record "${key}"` : `account ${cmsId} (record "${key}")`;
  const change = `Change the ${attribute} of one of the two in the CMS; the next run tries again.`;
  const reasons: Record<Fate, string> = {
    leaves: 'which is about to change.',
    stays: 'which also has it in the source. Correct one of the two in the source.',
    missing: `which is missing from the feed. Delete that account in the CMS, or change its ${attribute} there; the next run tries again.`,
    waits: `whose own change is not delivered either. ${change}`,
    waitsForThis: `whose own change waits for this one. ${change}`,
  };
  const reason = `The ${attribute} "${value}" still belongs to ${owner}, ${reasons[fate]}`;
  return { key, isLeaving: fate === 'leaves', reason };
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
