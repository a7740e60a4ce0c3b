import type { Resource } from '../record.ts';

/** What a plan, an undo or a purge does with items, in the order in which it is described: what loses data comes first. */
const PHRASES = {
  delete: (items: string) => `delete ${items}`,
  mark: (items: string) => `mark ${items} as missing`,
  update: (items: string) => `change ${items}`,
  restore: (items: string) => `restore ${items}`,
  create: (items: string) => `create ${items}`,
  createAgain: (items: string) => `create ${items} again`,
} as const;

/** How many items are deleted, changed and so on. */
export type ChangeCounts = Partial<Record<keyof typeof PHRASES, number>>;

const NOUNS: Record<Resource, string> = { events: 'event', accounts: 'account' };

/** Returns what happens in the CMS, for buttons and confirmations: "delete 23 events, change 1". Empty if nothing happens. */
export function describeChanges(counts: ChangeCounts, resource?: Resource | null): string {
  const noun = resource ? NOUNS[resource] : 'item';
  const some = (Object.keys(PHRASES) as Array<keyof typeof PHRASES>).filter((op) => (counts[op] ?? 0) > 0);
  return some
    .map((op, place) => {
      const count = counts[op] ?? 0;
      const items = `${count.toLocaleString('en-US')}${place === 0 ? ` ${noun}${count === 1 ? '' : 's'}` : ''}`;
      return PHRASES[op](items);
    })
    .join(', ');
}

/** Returns what an undo does in the CMS: "delete 3 events, create 1 again". */
export function describeUndo(
  changes: ReadonlyArray<{ op: 'create' | 'restore' | 'delete' }>,
  resource?: Resource | null,
): string {
  const count = (wanted: 'create' | 'restore' | 'delete') => changes.filter(({ op }) => op === wanted).length;
  return describeChanges(
    { delete: count('delete'), restore: count('restore'), createAgain: count('create') },
    resource,
  );
}

/** "1 record", "1204 records". */
export function quantity(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
