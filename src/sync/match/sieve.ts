import { hash } from 'node:crypto';

/** 16 MB: enough for some millions of texts. */
const MOST_BITS = 2 ** 27;
const BITS_PER_TEXT = 32;
const POSITIONS = 4;

export type Sieve = ReturnType<typeof createSieve>;

/**
 * Recognises the texts that were added, in a fixed amount of memory, and by mistake very few others (a Bloom filter).
 * @param texts about how many texts will be added
 */
export function createSieve(texts: number) {
  const bits = Math.min(MOST_BITS, BITS_PER_TEXT * Math.max(1, texts));
  const words = new Uint32Array(Math.ceil(bits / 32));
  let isEmpty = true;
  return { isEmpty: () => isEmpty, add, has };

  function add(text: string): void {
    isEmpty = false;
    for (const bit of bitsOf(text)) words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  function has(text: string): boolean {
    return bitsOf(text).every((bit) => ((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0);
  }

  function bitsOf(text: string): number[] {
    const digest = hash('md5', text, 'buffer');
    return Array.from({ length: POSITIONS }, (_, position) => digest.readUInt32LE(position * 4) % bits);
  }
}
