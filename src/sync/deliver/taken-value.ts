import { CmsError } from '../../cms/errors.ts';
import type { Json } from '../../core/record.ts';
import { type ClaimedRecord, itemOf } from '../../ledger/records/claimed-record.ts';
import type { Holder } from '../../ledger/records/item-ownership.ts';
import { sharesValue, uniqueAttributes } from '../compare/unique-values.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';

/** Chains of records that wait for each other are followed so far. */
const LONGEST_CHAIN = 20;

/** Each search reads all records of the sync. A run in which the CMS refuses most records is not slowed down. */
const MOST_SEARCHES = 1000;
const searches = new WeakMap<DeliveryContext['ledger'], { run: string; count: number }>();

/** Another record of the sync has a value that this one wants; `leaving`: the run is about to change that record. */
export type Taken = 'leaving' | 'staying';

/** Finds out whether the CMS may refuse an account because another record of the sync has one of its values; undefined: none has. */
export async function takenBy(
  error: unknown,
  record: ClaimedRecord,
  { ledger }: Pick<DeliveryContext, 'ledger'>,
): Promise<Taken | undefined> {
  if (!(error instanceof CmsError) || error.kind !== 'permanent' || error.code === 'FF_CMS_NOT_FOUND') return undefined;
  if (record.resource !== 'accounts' || record.goal.is === 'gone' || hasSearchedEnough(record, ledger))
    return undefined;
  for (const attribute of uniqueAttributes) {
    const value = record.desired[attribute];
    if (!isName(value) || sharesValue(attribute, record.desired, itemOf(record)?.delivered ?? {})) continue;
    const holder = await ledger.records.holderOf(record, attribute, value);
    if (holder) return (await isLeaving(holder, attribute)) ? 'leaving' : 'staying';
  }
  return undefined;

  /** Whether the run will free the value: follows what its holder waits for, and so on. */
  async function isLeaving(holder: Holder, attribute: string): Promise<boolean> {
    let [last, held] = [holder, record.desired];
    for (let step = 0; step < LONGEST_CHAIN; step += 1) {
      if (!last.isPending || sharesValue(attribute, held, last.desired)) return false;
      const wanted = last.desired[attribute];
      const waiting = { ...record, key: last.key };
      const next = isName(wanted) ? await ledger.records.holderOf(waiting, attribute, wanted) : undefined;
      if (!next) return true;
      if (next.key === record.key) return false;
      [last, held] = [next, last.desired];
    }
    return false;
  }
}

function hasSearchedEnough({ run }: ClaimedRecord, ledger: DeliveryContext['ledger']): boolean {
  const before = searches.get(ledger);
  const count = before?.run === run ? before.count : 0;
  searches.set(ledger, { run, count: count + 1 });
  return count >= MOST_SEARCHES;
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
