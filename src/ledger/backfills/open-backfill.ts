/** The days that a backfill is about: ISO dates, inclusive; absent: open. */

export interface BackfillDays {
  from?: string;
  to?: string;
}

/** A backfill that is not at its end. */
export interface OpenBackfill extends BackfillDays {
  /** Its id, also in `runs`. */
  run: string;
  sync: string;
  /** How many records its reading of the feed left to be done; absent: it is not read. */
  total?: number;
  /** How long processes have been at it, in ms. */
  workedMs: number;
}
