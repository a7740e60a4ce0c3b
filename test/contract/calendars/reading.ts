/** An occurrence as a line: times in UTC, or whole days, from the first to the last. */
export type Occurrence = string;

/** What a reader finds: the occurrences by UID, or the message of an error in place of one. */
export type Reading = ReadonlyMap<string, readonly Occurrence[]>;

/** What only one of two readers finds for a UID. */
export interface Difference {
  uid: string;
  onlyOurs: Occurrence[];
  onlyTheirs: Occurrence[];
}

/** Formats an occurrence. */
export function occurrence(start: string, end: string, summary: string): Occurrence {
  return `${start} – ${end} | ${summary.replace(/\s+/g, ' ').trim()}`;
}

/** Compares the readings of one calendar, UID by UID. */
export function differencesOf(ours: Reading, theirs: Reading): Difference[] {
  const uids = [...new Set([...ours.keys(), ...theirs.keys()])].sort();
  return uids
    .map((uid) => ({
      uid,
      onlyOurs: without(ours.get(uid) ?? [], theirs.get(uid) ?? []),
      onlyTheirs: without(theirs.get(uid) ?? [], ours.get(uid) ?? []),
    }))
    .filter(({ onlyOurs, onlyTheirs }) => onlyOurs.length + onlyTheirs.length > 0);
}

/** Removes from a list each entry of another one once: a reader may find an occurrence twice. */
function without(list: readonly Occurrence[], others: readonly Occurrence[]): Occurrence[] {
  const left = Map.groupBy(others, (one) => one);
  return list.filter((one) => left.get(one)?.pop() === undefined);
}
