import type { VerifiedRecord } from '../../ledger/verifications/verified-records.ts';
import type { RunContext } from '../context/run-context.ts';
import { callOf } from '../items/cms-items.ts';
import type { Drift } from './compare-item.ts';
import type { ListReading } from './list-reading.ts';

/** If this many records lack their items, or one attribute, the list is probably wrong, rather than that editors removed them. */
const SUSPICIOUS = 3;
/** How many of the missing items are looked for again. */
const SAMPLE = 3;

/**
 * Returns why a list does not prove that items are missing; undefined: it proves this. The list has to show as many items as
 * it counts, and some item of the sync, and another reading of the days of some missing items must not show them either.
 * @param absent records whose items the list does not show
 * @param expected how many items of the sync the list should show
 * @throws CmsError
 */
export async function doubtAbout(
  absent: readonly VerifiedRecord[],
  { counted, seen }: ListReading,
  expected: number,
  context: RunContext,
): Promise<string | undefined> {
  if (counted !== undefined && counted > seen.size) {
    return `the list of the CMS counts ${counted} items and shows ${seen.size}`;
  }
  if (absent.length > 0 && seen.size === 0) return 'the list of the CMS is empty';
  if (absent.length >= SUSPICIOUS && absent.length === expected) {
    return `the list of the CMS shows none of the ${expected} items of the sync`;
  }
  const { name: sync, resource } = context.sync;
  const quietSince = context.runtime.monotonic();
  for (const { key, cmsId, known } of absent.slice(0, SAMPLE)) {
    const indexes = await context.search.candidates(
      { sync, key, resource, quietSince },
      [known.payload ?? {}],
      callOf(context),
    );
    if (indexes.some(({ sightings }) => cmsId !== null && sightings.has(cmsId))) {
      return `the list of the CMS shows item ${cmsId} in one reading and not in another`;
    }
  }
  return undefined;
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
