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
  const everKnown = new Set<string>();
  add(count);
  return { rows, edit, everKnown, keys: () => new Set(revisions.map(({ key }) => key)) };

  function add(many: number): void {
    for (let added = 0; added < many; added += 1) {
      revisions.push({ key: `T${next}`, number: next, count: 0 });
      everKnown.add(`T${next}`);
      next += 1;
    }
  }

  function edit(change: { changed: number[]; added: number; removed: number[]; swapped: boolean }): void {
    add(change.added);
    for (const position of change.changed) {
      const revision = revisions[position % revisions.length];
      if (revision) revision.count += 1;
    }
    for (const position of change.removed) revisions.splice(position % Math.max(1, revisions.length), 1);
    const [first, second] = revisions;
    if (change.swapped && first && second) [first.key, second.key] = [second.key, first.key];
    revisions = [...revisions];
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
