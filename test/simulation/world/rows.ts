import type { SimulatedResource } from '../plan/resources.ts';
import { createFiles, type ImageEdit } from './files.ts';
import type { Item } from './items.ts';
import type { Row } from './source.ts';

/** The records that the source has, and what they should be in the CMS. */
export type Rows = ReturnType<typeof createRows>;

interface Revision {
  key: string;
  number: number;
  count: number;
  /** Where its image is. */
  image?: string;
  /** When it last changed, in ms of the world. */
  changedAt: number;
  hasChanged?: true;
  /** Another source says the same: neither changes. */
  isRepeated?: true;
}

/** What changes in the source. Numbers of records wrap around. */
export interface RowsEdit {
  changed: number[];
  added: number;
  removed: number[];
  /** Of those that were removed before. */
  returned: number[];
  swapped: boolean;
}

/**
 * @param options `first`: the number of the first record; `hasImages`: whether three of four records have an image;
 * `keyOf`: the key of a record by its number
 */
export function createRows(
  count: number,
  { record, name, fieldsOf }: SimulatedResource,
  options: {
    first?: number;
    hasImages: boolean;
    haveSameNames?: boolean;
    keyOf: (number: number) => string;
    now: () => number;
  },
) {
  const { first: firstNumber = 1, hasImages, keyOf, now } = options;
  const files = createFiles(options);
  let revisions: Revision[] = [];
  const gone: Revision[] = [];
  let next = firstNumber;
  let haveSwapped = false;
  /** Key → the numbers of the records that have had it. */
  const numbersOf = new Map<string, Set<number>>();
  /** How many readings that looked whole have lacked a record. */
  const lacked = new Map<number, number>();
  add(count);
  return {
    rows,
    files,
    edit,
    changeImage,
    addLike,
    repeat,
    imageOf,
    comeAndGo,
    passOn,
    shareKey,
    isSameUnder,
    lastNumber: () => next - 1,
    noteReading,
    noteSuccess,
    copyLacked: () => new Map(lacked),
    recallLacked,
    wasMissed,
    unchangedSince,
    haveSwapped: () => haveSwapped,
  };

  function add(many: number): void {
    for (let added = 0; added < many; added += 1) {
      const image = hasImages && next % 4 > 0 ? files.add() : undefined;
      revisions.push({ key: keyOf(next), number: next, count: 0, image, changedAt: now() });
      next += 1;
    }
  }

  /** Adds a record that says what another source says. */
  function addLike(row: Row, key: string): void {
    const [number, count] = String(row.text).match(/\d+/g)?.map(Number) ?? [];
    if (number === undefined || count === undefined) return;
    revisions.push({ key, number, count, changedAt: now(), isRepeated: true });
  }

  /**
   * Returns records for another source to repeat. Only those that never change: if one source has moved a talk and the other has
   * not, they tell of two talks.
   */
  function repeat(many: number): Row[] {
    const repeated = revisions.filter(({ hasChanged }) => !hasChanged).slice(0, many);
    for (const revision of repeated) revision.isRepeated = true;
    return repeated.map(rowOf);
  }

  function edit(change: RowsEdit): void {
    add(change.added);
    for (const position of change.returned) {
      const [back] = gone.splice(position % Math.max(1, gone.length), 1);
      if (back) revisions.push({ ...back, changedAt: now() });
    }
    for (const position of change.changed) {
      const revision = revisions[position % revisions.length];
      if (!revision || revision.isRepeated) continue;
      revision.hasChanged = true;
      // Some take the last change back.
      revision.count += revision.count > 0 && position % 5 === 0 ? -1 : 1;
      revision.changedAt = now();
    }
    for (const position of change.removed) {
      // A feed without records is held for good: it proves nothing.
      if (revisions.length > 1) gone.push(...revisions.splice(position % revisions.length, 1));
    }
    const [first, second] = revisions;
    if (change.swapped && first && second) {
      haveSwapped = true;
      [first.key, second.key] = [second.key, first.key];
      first.changedAt = now();
      second.changedAt = now();
    }
    revisions = [...revisions];
  }

  /** @param shown what a reading that looked whole has shown */
  function noteReading(shown: readonly Row[]): void {
    const numbers = new Set(shown.map(numberOf));
    for (let number = firstNumber; number < next; number += 1) {
      if (!numbers.has(number)) lacked.set(number, (lacked.get(number) ?? 0) + 1);
    }
  }

  /** A run has succeeded that has read records: what they lacked before no longer counts. */
  function noteSuccess(shown: readonly Row[]): void {
    for (const row of shown) lacked.delete(numberOf(row));
  }

  /** A ledger that is restored knows what readings lacked when it was copied. */
  function recallLacked(then: ReadonlyMap<number, number>): void {
    for (const [number, times] of then) lacked.set(number, Math.max(times, lacked.get(number) ?? 0));
  }

  /** Takes one record away, or brings it back. */
  function comeAndGo(number: number): void {
    const back = gone.findIndex((revision) => revision.number === number);
    const nth = revisions.findIndex((revision) => revision.number === number);
    if (back >= 0)
      revisions = [...revisions, ...gone.splice(back, 1).map((revision) => ({ ...revision, changedAt: now() }))];
    else if (nth >= 0 && revisions.length > 1) {
      gone.push(...revisions.slice(nth, nth + 1));
      revisions = revisions.toSpliced(nth, 1);
    }
  }

  /** A record leaves for good, and a new one has its key at once, as the login of a person who has left. */
  function passOn(nth: number): void {
    const [left] = revisions.splice(nth % revisions.length, 1);
    if (!left) return;
    noteKeys();
    revisions.push({ key: left.key, number: next, count: 0, changedAt: now() });
    next += 1;
    haveSwapped = true;
    noteKeys();
  }

  /** Two records get the key of the first, with what tells them apart, as copies of an event in a calendar share their UID. */
  function shareKey(nth: number): void {
    const [one, other] = [0, 1].map((more) => revisions[(nth + more) % revisions.length]);
    if (!one || !other || one === other) return;
    noteKeys();
    const { key } = one;
    one.key = `${key}/${one.number}`;
    other.key = `${key}/${other.number}`;
    haveSwapped = true;
    noteKeys();
  }

  function noteKeys(): void {
    for (const { key, number } of revisions) numbersOf.set(key, (numbersOf.get(key) ?? new Set()).add(number));
  }

  /** Whether a record has been under another key; undefined: it may have been both, or its key is not known to have changed. */
  function isSameUnder(key: string, earlier: string): boolean | undefined {
    const [now, then] = [revisions.find((each) => each.key === key), numbersOf.get(earlier)];
    return now && then ? then.has(now.number) && (key !== earlier || then.size === 1) : undefined;
  }

  function changeImage(does: ImageEdit, nth: number): void {
    const revision = revisions[nth % revisions.length];
    const other = revisions[(nth + 1) % revisions.length]?.image;
    if (!revision) return;
    const { image } = revision;
    const moved = does === 'move' ? image : other;
    if (does === 'remove') revision.image = undefined;
    else if (does === 'share') revision.image = other;
    else if (does === 'replace') revision.image = image === undefined ? files.add() : files.replace(image);
    else revision.image = moved === undefined ? undefined : files.add(files.at(moved)?.content);
  }

  /** Where the image of a record is. */
  function imageOf(nth: number): string | undefined {
    return revisions[nth % revisions.length]?.image;
  }

  /** Whether as many readings have lacked the record of an item as it takes to delete it. */
  function wasMissed(item: Item): boolean {
    return haveSwapped || (lacked.get(numberOf(item)) ?? 0) >= 2;
  }

  /** What names a record has its number. */
  function numberOf(shown: Item | Row): number {
    return Number(/\d+/.exec(String(shown[name])));
  }

  /** As the source shows them. */
  function rows(): Row[] {
    return revisions.map(rowOf);
  }

  /** Those that have been what they are, at least since a moment. */
  function unchangedSince(moment: number): Row[] {
    return revisions.filter(({ changedAt }) => changedAt < moment).map(rowOf);
  }

  function rowOf({ key, number, count, image = '' }: Revision): Row {
    return {
      id: key,
      ...fieldsOf(number, count),
      text: `${record} ${number}, changed ${count} times`,
      place: `Hall ${1 + (number % 3)}`,
      ...(hasImages && { image }),
    };
  }
}
