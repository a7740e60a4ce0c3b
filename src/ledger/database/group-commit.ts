interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Writes items of many callers together: one transaction, one trip to the disk. Items that arrive while a group is being
 * written form the next one.
 * @param write returns one result for each item, in their order
 * @param gatherMs how long a group waits for more items; 0: until the code that is running has ended
 * @param longest maximum number of items in a group
 */
export function groupCommit<Item, Result>(
  write: (items: Item[]) => Promise<Result[]>,
  { gatherMs, longest }: { gatherMs: number; longest: number },
): (item: Item) => Promise<Result> {
  let waiting: Array<Waiting<Item, Result>> = [];
  let isScheduled = false;
  let isWriting = false;

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isWriting) return;
      if (waiting.length >= longest) void writeGroup();
      else schedule();
    });

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    if (gatherMs === 0) setImmediate(writeGroup);
    else setTimeout(writeGroup, gatherMs);
  }

  async function writeEach(group: ReadonlyArray<Waiting<Item, Result>>): Promise<void> {
    for (const { item, resolve, reject } of group) {
      await write([item]).then(([result]) => resolve(result as Result), reject);
    }
  }

  async function writeGroup(): Promise<void> {
    isScheduled = false;
    // A full group may have begun earlier.
    if (isWriting || waiting.length === 0) return;
    isWriting = true;
    const group = waiting.slice(0, longest);
    waiting = waiting.slice(longest);
    try {
      const results = await write(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      // An item that cannot be written must not affect the others.
      if (group.length === 1) group[0]?.reject(error);
      else await writeEach(group);
    }
    isWriting = false;
    if (waiting.length >= longest) void writeGroup();
    else if (waiting.length > 0) schedule();
  }
}
