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

/** @param hasImages whether three of four records have an image */
export function createRows(count: number, { keysWith, record, name, fieldsOf }: SimulatedResource, hasImages: boolean) {
  const files = createFiles();
  let revisions: Revision[] = [];
  const gone: Revision[] = [];
  let next = 1;
  let haveSwapped = false;
  /** How many readings that looked whole have lacked a record. */
  const lacked = new Map<number, number>();
  add(count);
  return { rows, files, edit, changeImage, noteReading, wasMissed };

  function add(many: number): void {
    for (let added = 0; added < many; added += 1) {
      const image = hasImages && next % 4 > 0 ? files.add() : undefined;
      revisions.push({ key: `${keysWith}${next}`, number: next, count: 0, image });
      next += 1;
    }
  }

  function edit(change: RowsEdit): void {
    add(change.added);
    for (const position of change.returned) {
      const [back] = gone.splice(position % Math.max(1, gone.length), 1);
      if (back) revisions.push(back);
    }
    for (const position of change.changed) {
      const revision = revisions[position % revisions.length];
      // Some take the last change back.
      if (revision) revision.count += revision.count > 0 && position % 5 === 0 ? -1 : 1;
    }
    for (const position of change.removed) {
      // A feed without records is held for good: it proves nothing.
      if (revisions.length > 1) gone.push(...revisions.splice(position % revisions.length, 1));
    }
    const [first, second] = revisions;
    if (change.swapped && first && second) {
      haveSwapped = true;
      [first.key, second.key] = [second.key, first.key];
    }
    revisions = [...revisions];
  }

  /** @param shown what a reading that looked whole has shown */
  function noteReading(shown: readonly Row[]): void {
    const numbers = new Set(shown.map(numberOf));
    for (let number = 1; number < next; number += 1) {
      if (!numbers.has(number)) lacked.set(number, (lacked.get(number) ?? 0) + 1);
    }
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
    return revisions.map(({ key, number, count, image = '' }) => ({
      id: key,
      ...fieldsOf(number, count),
      text: `${record} ${number}, changed ${count} times`,
      ...(hasImages && { image }),
    }));
  }
}
