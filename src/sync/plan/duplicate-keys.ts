import type { Mapped, Rejection, SourceRecord, Warning } from '../../core/record.ts';
import { sourceHash } from '../../core/source-hash.ts';
import type { ReadRecord } from '../../core/source-reading.ts';
import type { AlreadyStaged } from '../../ledger/plans/staged-plan.ts';

/** A record that was mapped, or one that need not be mapped, because the CMS has it as its source wants it. */
export type Judged = (Mapped | ({ is: 'unchanged'; key: string } & SourceRecord)) & {
  /** Hash of what was read; absent: it cannot be compared. */
  readHash?: string;
};

/** Returns the hash of a record as it was read, which only an identical record has, too. Short, because every staged row has it. */
export function readHashOf({
  sourceHash: hash,
  fields,
}: SourceRecord & Pick<ReadRecord, 'sourceHash'>): string | undefined {
  return (hash ?? sourceHash(fields, ''))?.slice(0, 24);
}

/**
 * Leaves out records that repeat an earlier one with the same key and fields, and rejects all others that share their key, because
 * nothing distinguishes them.
 * @param stagedBefore the records of earlier batches whose keys occur in this batch
 * @returns `rejected`: in feed order; `rejectedKeys`: key → place of the rejected records to stage, so that published records
 * with these keys do not count as missing; `rejectedBefore`: the keys of staged records to reject; `repetitions`: the records
 * that are left out, each with a note
 */
export function withoutDuplicates(batch: readonly Judged[], stagedBefore: readonly AlreadyStaged[]) {
  const repetitions = findRepetitions(batch, stagedBefore);
  const records = repetitions.size === 0 ? batch : batch.filter((judged) => !repetitions.has(judged));
  const unique: Array<Exclude<Judged, { is: 'rejected' }>> = [];
  const rejected: Rejection[] = [];
  const rejectedKeys = new Map<string, string>();
  const placesByKey = new Map<string | undefined, string[]>(keysOf(records).map((key) => [key, []]));
  for (const { key, place } of stagedBefore) placesByKey.get(key)?.push(place);
  for (const judged of records) placesByKey.get(keyOf(judged))?.push(placeOf(judged));

  const staged = new Map(stagedBefore.map((row) => [row.key, row]));
  for (const [key, places] of placesByKey) {
    const earlier = staged.get(key ?? '');
    if (earlier && earlier.op !== 'rejected') rejected.push(duplicate(earlier.key, earlier.place, places));
  }
  for (const judged of records) {
    const key = keyOf(judged);
    const places = placesByKey.get(key) ?? [];
    if (judged.is === 'rejected') rejected.push(judged.rejection);
    else if (key !== undefined && places.length > 1) {
      // The fields of records that an earlier batch staged are no longer available.
      rejected.push({ ...duplicate(key, placeOf(judged), places), fields: judged.fields });
    } else {
      unique.push(judged);
      continue;
    }
    if (key !== undefined && !staged.has(key) && !rejectedKeys.has(key)) rejectedKeys.set(key, placeOf(judged));
  }
  const rejectedBefore = [...staged.keys()].filter((key) => placesByKey.has(key));
  return { unique, rejected, rejectedKeys, rejectedBefore, repetitions };
}

/** Finds the records that repeat one before them: the same key, and the same fields and values. */
function findRepetitions(batch: readonly Judged[], stagedBefore: readonly AlreadyStaged[]): Map<Judged, Warning> {
  const repetitions = new Map<Judged, Warning>();
  const idOf = (key: string, hash: string) => `${hash} ${key}`;
  const firstPlaces = new Map<string, string>();
  for (const { key, place, op, read_hash } of stagedBefore) {
    if (read_hash !== null && op !== 'rejected') firstPlaces.set(idOf(key, read_hash), place);
  }
  for (const judged of batch) {
    const key = keyOf(judged);
    if (key === undefined || judged.readHash === undefined || judged.is === 'rejected') continue;
    const id = idOf(key, judged.readHash);
    const at = placeOf(judged);
    const first = firstPlaces.get(id);
    if (first === undefined) firstPlaces.set(id, at);
    else repetitions.set(judged, { at, message: `Repeats ${first}: identical records count as one` });
  }
  return repetitions;
}

function duplicate(key: string, at: string, places: readonly string[]): Rejection {
  // Comparing all places of a feed with a single key would take long.
  const others = places.slice(0, 6).filter((place) => place !== at);
  const reason = `The key "${key}" is also used at ${others.slice(0, 5).join(', ')}.`;
  return { at, code: 'FF_RECORD_DUPLICATE', reason, key };
}

/** The keys of records, each once. */
export function keysOf(batch: readonly Judged[]): string[] {
  return [...new Set(batch.flatMap((judged) => keyOf(judged) ?? []))];
}

/** The key of a record, if it could be read. */
export function keyOf(judged: Judged): string | undefined {
  if (judged.is === 'desired') return judged.record.key;
  return judged.is === 'rejected' ? judged.rejection.key : judged.key;
}

function placeOf(judged: Judged): string {
  if (judged.is === 'desired') return judged.record.at;
  return judged.is === 'rejected' ? judged.rejection.at : judged.at;
}
