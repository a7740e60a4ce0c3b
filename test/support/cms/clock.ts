/** The present time of the CMS, in epoch ms. */
export type CmsClock = ReturnType<typeof movableClock>;

/** A clock that can be set, and runs on from there. */
export function movableClock(base: () => number) {
  let ahead = 0;
  return {
    now: (): number => base() + ahead,
    /** Sets the clock; without a moment, back to its base. */
    set(moment?: Date | number | string): void {
      const offset = moment === undefined ? 0 : new Date(moment).getTime() - base();
      if (Number.isNaN(offset)) throw new Error(`The clock cannot be set to "${moment}".`);
      ahead = offset;
    },
  };
}
