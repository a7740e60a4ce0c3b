import type { Mapped, Rejection } from '../../core/record.ts';
import type { StagingStore } from '../../ledger/plans/staged-plan.ts';

/** A batch without the records whose keys are not unique. */
interface UniqueRecords {
  unique: Array<Exclude<Mapped, { is: 'rejected' }>>;
  /** In feed order. */
  rejected: Rejection[];
  /** Key → place of the rejected records to stage: what is published under their keys is not missing. */
  rejectedKeys: Map<string, string>;
}

/** Records that share their key cannot be told apart: all of them are rejected, those staged before too. */
export async function withoutDuplicates(
  run: string,
  batch: readonly Mapped[],
  staging: Pick<StagingStore, 'alreadyStaged' | 'reject'>,
): Promise<UniqueRecords> {
  const keys = [...new Set(batch.flatMap((mapped) => keyOf(mapped) ?? []))];
  const staged = new Map((await staging.alreadyStaged(run, keys)).map((row) => [row.key, row]));
  const placesByKey = new Map<string | undefined, string[]>(keys.map((key) => [key, []]));
  for (const { key, place } of staged.values()) placesByKey.get(key)?.push(place);
  for (const mapped of batch) placesByKey.get(keyOf(mapped))?.push(placeOf(mapped));

  const { unique, rejected, rejectedKeys }: UniqueRecords = { unique: [], rejected: [], rejectedKeys: new Map() };
  for (const key of keys) {
    const earlier = staged.get(key);
    if (earlier && earlier.op !== 'rejected') rejected.push(duplicate(key, earlier.place, placesByKey.get(key)));
  }
  for (const mapped of batch) {
    const key = keyOf(mapped);
    const places = placesByKey.get(key) ?? [];
    if (mapped.is === 'rejected') rejected.push(mapped.rejection);
    else if (key !== undefined && places.length > 1) {
      // The fields of a record that an earlier batch staged are no longer available.
      rejected.push({
        ...duplicate(key, placeOf(mapped), places),
        ...(mapped.fields ? { fields: mapped.fields } : {}),
      });
    } else {
      unique.push(mapped);
      continue;
    }
    if (key !== undefined && !staged.has(key) && !rejectedKeys.has(key)) rejectedKeys.set(key, placeOf(mapped));
  }
  await staging.reject(run, [...staged.keys()]);
  return { unique, rejected, rejectedKeys };
}

function duplicate(key: string, at: string, places: readonly string[] = []): Rejection {
  const others = places.filter((place) => place !== at);
  const reason = `The key "${key}" also appears at ${others.slice(0, 5).join(', ')}.`;
  return { at, code: 'FF_RECORD_DUPLICATE', reason, key };
}

/** The key of a record, if mapping found one. */
export function keyOf(mapped: Mapped): string | undefined {
  if (mapped.is === 'desired') return mapped.record.key;
  return mapped.is === 'rejected' ? mapped.rejection.key : mapped.key;
}

function placeOf(mapped: Mapped): string {
  if (mapped.is === 'desired') return mapped.record.at;
  return mapped.is === 'rejected' ? mapped.rejection.at : mapped.at;
}
