import type { Mapped, Rejection, SourceRecord } from '../../core/record.ts';
import type { AlreadyStaged } from '../../ledger/plans/staged-plan.ts';

/** A record that was mapped, or one that need not be mapped, because the CMS has it as its source wants it. */
export type Judged = Mapped | ({ is: 'unchanged'; key: string } & SourceRecord);

/**
 * Rejects all records that share their key, because nothing distinguishes them.
 * @param stagedBefore the records of earlier batches whose keys occur in this batch
 * @returns `rejected`: in feed order; `rejectedKeys`: key → place of the rejected records to stage, so that published records
 * with these keys do not count as missing
 */
export function withoutDuplicates(batch: readonly Judged[], stagedBefore: readonly AlreadyStaged[]) {
  const unique: Array<Exclude<Judged, { is: 'rejected' }>> = [];
  const rejected: Rejection[] = [];
  const rejectedKeys = new Map<string, string>();
  const placesByKey = new Map<string | undefined, string[]>(keysOf(batch).map((key) => [key, []]));
  for (const { key, place } of stagedBefore) placesByKey.get(key)?.push(place);
  for (const mapped of batch) placesByKey.get(keyOf(mapped))?.push(placeOf(mapped));

  const staged = new Map(stagedBefore.map((row) => [row.key, row]));
  for (const [key, places] of placesByKey) {
    const earlier = staged.get(key ?? '');
    if (earlier && earlier.op !== 'rejected') rejected.push(duplicate(earlier.key, earlier.place, places));
  }
  for (const mapped of batch) {
    const key = keyOf(mapped);
    const places = placesByKey.get(key) ?? [];
    if (mapped.is === 'rejected') rejected.push(mapped.rejection);
    else if (key !== undefined && places.length > 1) {
      // The fields of records that an earlier batch staged are no longer available.
      rejected.push({ ...duplicate(key, placeOf(mapped), places), fields: mapped.fields });
    } else {
      unique.push(mapped);
      continue;
    }
    if (key !== undefined && !staged.has(key) && !rejectedKeys.has(key)) rejectedKeys.set(key, placeOf(mapped));
  }
  return { unique, rejected, rejectedKeys };
}

function duplicate(key: string, at: string, places: readonly string[]): Rejection {
  // Comparing all places of a feed with a single key would take long.
  const others = places.slice(0, 6).filter((place) => place !== at);
  const reason = `The key "${key}" is also used at ${others.slice(0, 5).join(', ')}.`;
  return { at, code: 'FF_RECORD_DUPLICATE', reason, key };
}

/** The keys of records, each once. */
export function keysOf(batch: readonly Judged[]): string[] {
  return [...new Set(batch.flatMap((mapped) => keyOf(mapped) ?? []))];
}

/** The key of a record, if it could be read. */
export function keyOf(mapped: Judged): string | undefined {
  if (mapped.is === 'desired') return mapped.record.key;
  return mapped.is === 'rejected' ? mapped.rejection.key : mapped.key;
}

function placeOf(mapped: Judged): string {
  if (mapped.is === 'desired') return mapped.record.at;
  return mapped.is === 'rejected' ? mapped.rejection.at : mapped.at;
}
