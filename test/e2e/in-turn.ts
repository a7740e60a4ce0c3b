import { isLong } from '../support/long.ts';
import { type Engines, farthest } from './site.ts';

/**
 * Engines for tests whose subject is not the engines, because the contract suites compare those: `farthest` in the long form,
 * otherwise one of them.
 */
export function either(turn: number): Engines[] {
  return isLong ? farthest : farthest.slice(turn % farthest.length).slice(0, 1);
}

/** Cases that take the engines of `farthest` in turn, each on one; on each in the long form. */
export function inTurn<Case extends object>(cases: readonly Case[]): Array<Case & Engines> {
  return cases.flatMap((each, nth) => either(nth).map((engines) => ({ ...each, ...engines })));
}
