import { createHash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** Every random choice of a simulated run. The same seed makes the same choices. */
export type Chance = ReturnType<typeof createChance>;

const RANGE = 0x1_0000_0000;

/** Creates the choices of a seed. @param seed text: choices of their own for a part of what a seed decides */
export function createChance(seed: number | string) {
  const generator = xoroshiro128plusFromState(stateOf(seed));
  return { real, below, between, chance, pick, fork, hex };

  /** From 0 up to, but not including, 1. */
  function real(): number {
    return (generator.next() >>> 0) / RANGE;
  }

  /** A whole number below `limit`. */
  function below(limit: number): number {
    return uniformInt(generator, 0, limit - 1);
  }

  /** A whole number from `least` to `most`. */
  function between(least: number, most: number): number {
    return uniformInt(generator, least, most);
  }

  /** True in this share of cases. */
  function chance(share: number): boolean {
    return real() < share;
  }

  function pick<Item>(items: readonly Item[]): Item {
    return items[below(items.length)] as Item;
  }

  /** Choices of their own for a part of the world: it may make more of them without changing those of other parts. */
  function fork(): Chance {
    return createChance(generator.next());
  }

  /** Hexadecimal digits. */
  function hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += (generator.next() >>> 0).toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }
}

/** The generator is linear: seeds in a row would make choices that depend on each other, and so miss many combinations. */
function stateOf(seed: number | string): number[] {
  const hash = createHash('sha256').update(String(seed)).digest();
  return [0, 4, 8, 12].map((offset) => hash.readInt32LE(offset));
}
