import type { Item } from './items.ts';
import type { Row } from './source.ts';

/** The records that the source has, and what they should be in the CMS. */
export type Rows = ReturnType<typeof createRows>;

interface Revision {
  key: string;
  number: number;
  count: number;
}

export function createRows(count: number) {
  let revisions: Revision[] = [];
  let next = 1;
  let haveSwapped = false;
  const removed = new Set<number>();
  add(count);
  return { rows, edit, wasNeverAbsent };

  function add(many: number): void {
    for (let added = 0; added < many; added += 1) {
      revisions.push({ key: `T${next}`, number: next, count: 0 });
      next += 1;
    }
  }

  function edit(change: { changed: number[]; added: number; removed: number[]; swapped: boolean }): void {
    add(change.added);
    for (const position of change.changed) {
      const revision = revisions[position % revisions.length];
      if (revision) revision.count += 1;
    }
    for (const position of change.removed) {
      const [gone] = revisions.splice(position % Math.max(1, revisions.length), 1);
      if (gone) removed.add(gone.number);
    }
    const [first, second] = revisions;
    if (change.swapped && first && second) {
      haveSwapped = true;
      [first.key, second.key] = [second.key, first.key];
    }
    revisions = [...revisions];
  }

  /** Whether the source has had the record of an item ever since it came. */
  function wasNeverAbsent({ title }: Item): boolean {
    const number = Number(/^Talk (\d+)$/.exec(String(title))?.[1]);
    return number < next && !removed.has(number) && !haveSwapped;
  }

  /** As the source shows them. */
  function rows(): Row[] {
    return revisions.map(({ key, number, count }) => ({
      id: key,
      title: `Talk ${number}`,
      text: `Talk ${number}, changed ${count} times`,
      start: `2027-03-${String(1 + ((number + 5 * Math.floor(count / 2)) % 28)).padStart(2, '0')}T${10 + (count % 10)}:00`,
    }));
  }
}
