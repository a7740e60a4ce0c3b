import type { VerifiedRecord } from '../../ledger/verifications/verified-records.ts';
import type { RunContext } from '../context/run-context.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import type { Drift } from './compare-item.ts';
import type { ListReading } from './list-reading.ts';

/** If this many records lack their items, or one attribute, the list is probably wrong, rather than that editors removed them. */
const SUSPICIOUS = 3;
/** Why a list does not prove that items are missing, and the records of these items. */
interface Doubt {
  reason: string;
  about: readonly VerifiedRecord[];
}

/**
 * Returns why a list does not prove that items are missing; undefined: it proves this. The list has to show as many items as it
 * counts, and some item of the sync. An item that it lacks may be hidden, so the CMS must not have it under its id either.
 * @param absent records whose items the list does not show
 * @param expected how many items of the sync the list should show
 * @throws CmsError
 */
export async function doubtAbout(
  absent: readonly VerifiedRecord[],
  { counted, seen }: ListReading,
  expected: number,
  context: RunContext,
): Promise<Doubt | undefined> {
  const ofAll = (reason: string) => ({ reason, about: absent });
  if (counted !== undefined && counted > seen.size) {
    return ofAll(`the list of the CMS counts ${counted} items and shows ${seen.size}`);
  }
  if (absent.length > 0 && seen.size === 0) return ofAll('the list of the CMS is empty');
  if (absent.length >= SUSPICIOUS && absent.length === expected) {
    return ofAll(`the list of the CMS shows none of the ${expected} items of the sync`);
  }
  const { checks, sync, signal } = context;
  const items = itemsOf(sync.resource, { cms: checks, sync, call: { signal } });
  const hidden: VerifiedRecord[] = [];
  for (const record of absent) {
    if (record.cmsId !== null && (await unlessDeleted(items.get(record.cmsId)))) hidden.push(record);
  }
  const [first] = hidden;
  if (!first) return undefined;
  const others = hidden.length === 1 ? '' : ` and ${hidden.length - 1} more`;
  return {
    reason: `the CMS has item ${first.cmsId}${others}, but its list does not show ${hidden.length === 1 ? 'it' : 'them'}`,
    about: hidden,
  };
}

/** Drops differences in attributes that no item in the list has. Returns how many records are left out with them, and why. */
export function withoutUnshown(drift: Drift[], { shown }: ListReading): { unshown: number; reasons: string[] } {
  const lacking = drift
    .filter(({ cause }) => cause === 'edited' || cause === 'fileMissing')
    .flatMap(({ attributes }) => attributes.filter((attribute) => !shown.has(attribute.replace(/\..*/, ''))));
  const unshown = [...Map.groupBy(lacking, (attribute) => attribute)].filter(([, all]) => all.length >= SUSPICIOUS);
  if (unshown.length === 0) return { unshown: 0, reasons: [] };
  const names = unshown.map(([attribute]) => attribute);
  const before = drift.length;
  const rest = drift.flatMap((each) => {
    if (each.cause !== 'edited' && each.cause !== 'fileMissing') return [each];
    const attributes = each.attributes.filter((attribute) => !names.includes(attribute));
    return attributes.length > 0 ? [{ ...each, attributes }] : [];
  });
  drift.splice(0, before, ...rest);
  return { unshown: before - rest.length, reasons: [`the list shows no item with ${names.join(', ')}`] };
}
