/** Reads the beginning of a stream, until it is long enough. `all` yields the whole stream, from its beginning. */
export async function peek<Item>(
  items: AsyncIterable<Item>,
  isEnough: (first: readonly Item[]) => boolean,
): Promise<{ first: Item[]; all: AsyncGenerator<Item> }> {
  const iterator = items[Symbol.asyncIterator]();
  const first: Item[] = [];
  while (!isEnough(first)) {
    const next = await iterator.next();
    if (next.done) break;
    first.push(next.value);
  }
  return { first, all: replay([...first], iterator) };
}

/** Reads at least `count` bytes, unless the stream has fewer. */
export async function peekBytes(bytes: AsyncIterable<Uint8Array>, count: number) {
  const isEnough = (chunks: readonly Uint8Array[]) => chunks.reduce((sum, { length }) => sum + length, 0) >= count;
  const { first, all } = await peek(bytes, isEnough);
  return { first: Buffer.concat(first), all };
}

async function* replay<Item>(first: Item[], iterator: AsyncIterator<Item>): AsyncGenerator<Item> {
  try {
    yield* first;
    first.length = 0;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
