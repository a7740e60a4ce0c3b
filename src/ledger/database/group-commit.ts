import type { Clock } from '../../core/runtime/clock.ts';

/** Long enough for items that arrive at about the same time to share a commit. No record is delayed by it. */
const GATHER_MS = 5;
const LONGEST_GROUP = 200;

/**
 * Writes items of many callers together: one transaction, one trip to the disk. Items that arrive while a group is being
 * written form the next group.
 * @param write returns one result for each item, in their order
 * @param gatherMs how long a group waits for more items; 0: until the running code has ended
 * @param longest maximum number of items in a group
 * @returns a function that adds an item; its `flush` writes what is waiting without waiting for more
 */
export function groupCommit<Item, Result>(
  write: (items: Item[]) => Promise<Result[]>,
  { after }: Pick<Clock, 'after'>,
  { gatherMs = GATHER_MS, longest = LONGEST_GROUP } = {},
): ((item: Item) => Promise<Result>) & { flush(): void } {
  const waiting: Array<PromiseWithResolvers<Result> & { item: Item }> = [];
  let isScheduled = false;
  let isWriting = false;
  let isHurried = false;

  return Object.assign(add, { flush });

  function add(item: Item): Promise<Result> {
    const entry = { item, ...Promise.withResolvers<Result>() };
    waiting.push(entry);
    if (!isWriting) writeSoon();
    return entry.promise;
  }

  function flush(): void {
    // What arrives after this waits for more again.
    isHurried = isWriting;
    void writeGroup();
  }

  function writeSoon(): void {
    if (waiting.length >= longest || isHurried) return void writeGroup();
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    after(gatherMs, writeGroup);
  }

  async function writeGroup(): Promise<void> {
    isScheduled = false;
    // A full group may have begun earlier.
    if (isWriting || waiting.length === 0) return;
    isWriting = true;
    isHurried = false;
    await writeAll(waiting.splice(0, longest));
    isWriting = false;
    writeSoon();
  }

  async function writeAll(group: typeof waiting): Promise<void> {
    try {
      const results = await write(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      // An item that cannot be written must not affect the others.
      if (group.length === 1) group[0]?.reject(error);
      else for (const entry of group) await writeAll([entry]);
    }
  }
}
