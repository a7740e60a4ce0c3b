import { CodedError } from '../core/errors.ts';

/** The present time of a sandbox, in epoch ms. */
export type SandboxClock = ReturnType<typeof movableClock>;

/** A clock that can be set, and runs on from there. */
export function movableClock(base: () => number) {
  let ahead = 0;
  return {
    now: (): number => base() + ahead,
    /** Sets the clock; without a moment, back to its base. @throws CodedError FF_USAGE */
    set(moment?: Date | number | string): void {
      const offset = moment === undefined ? 0 : new Date(moment).getTime() - base();
      if (Number.isNaN(offset)) throw new CodedError('FF_USAGE', `The clock cannot be set to "${moment}".`);
      ahead = offset;
    },
  };
}
