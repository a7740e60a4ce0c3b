import type { Mapped, Rejection } from '../../core/record.ts';
import type { AlreadyStaged } from '../../ledger/plans/staged-plan.ts';

export type Desirable = Extract<Mapped, { is: 'desired' }>;
export type Skipped = Extract<Mapped, { is: 'skipped' }>;
type Keyed = Desirable | Skipped;

/** A rejection that is also staged under its key, so that a record published before does not count as missing. */
export type StageableRejection = Rejection & { stage?: string };

/**
 * Rejects all records that share their key, because nothing distinguishes them.
 * @param stagedBefore the records of earlier batches that have a key of this one
 */
export function withoutDuplicates(
  batch: readonly Mapped[],
  stagedBefore: readonly AlreadyStaged[],
): { unique: Keyed[]; rejected: StageableRejection[] } {
  const rejected: StageableRejection[] = [];
  const groups = new Map<string, Mapped[]>();
  for (const mapped of batch) {
    const key = keyOf(mapped);
    if (key === undefined) rejected.push(...(mapped.is === 'rejected' ? [mapped.rejection] : []));
    else groups.set(key, [...(groups.get(key) ?? []), mapped]);
  }
  const before = new Map(stagedBefore.map((row) => [row.key, row]));
  const unique: Keyed[] = [];
  for (const [key, group] of groups) {
    const [first] = group;
    const earlier = before.get(key);
    if (group.length === 1 && !earlier && first) {
      if (first.is === 'rejected') rejected.push({ ...first.rejection, stage: key });
      else unique.push(first);
      continue;
    }
    const places = [...(earlier ? [earlier.place] : []), ...group.map(placeOf)];
    if (earlier && earlier.op !== 'rejected') rejected.push(duplicate(key, earlier.place, places));
    group.forEach((mapped, index) => {
      const rejection =
        mapped.is === 'rejected'
          ? mapped.rejection
          : { ...duplicate(key, placeOf(mapped), places), ...fieldsOf(mapped) };
      rejected.push(index === 0 && !earlier ? { ...rejection, stage: key } : rejection);
    });
  }
  return { unique, rejected: inFeedOrder(rejected, batch) };
}

function inFeedOrder(rejected: StageableRejection[], batch: readonly Mapped[]): StageableRejection[] {
  const order = new Map(batch.map((mapped, index) => [placeOf(mapped), index]));
  return rejected.toSorted((one, other) => (order.get(one.at) ?? -1) - (order.get(other.at) ?? -1));
}

function duplicate(key: string, at: string, places: string[]): Rejection {
  const others = places.filter((place) => place !== at);
  const reason = `The key "${key}" also stands at ${others.slice(0, 5).join(', ')}.`;
  return { at, code: 'FF_RECORD_DUPLICATE', reason, key };
}

/** The keys of records, each once. */
export function keysOf(batch: readonly Mapped[]): string[] {
  return [...new Set(batch.flatMap((mapped) => keyOf(mapped) ?? []))];
}

/** The key of a record, if it could be read. */
export function keyOf(mapped: Mapped): string | undefined {
  if (mapped.is === 'desired') return mapped.record.key;
  return mapped.is === 'rejected' ? mapped.rejection.key : mapped.key;
}

/** The fields of records that an earlier batch staged are no longer available. */
function fieldsOf({ fields }: Keyed): Pick<Rejection, 'fields'> {
  return fields ? { fields } : {};
}

function placeOf(mapped: Mapped): string {
  if (mapped.is === 'desired') return mapped.record.at;
  return mapped.is === 'rejected' ? mapped.rejection.at : mapped.at;
}
