/** Whether this is the long form of the suite: `npm run dev -- test:long`. */
export const isLong = process.env.TEST_LONG === '1';

/** Returns how often a random test is repeated: a few times in `npm test`, many times in the long form. */
export function rounds(short: number, long: number): number {
  return isLong ? long : short;
}
