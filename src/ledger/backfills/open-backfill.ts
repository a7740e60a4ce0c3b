/** The days of a backfill: ISO dates, inclusive; absent: open. */
export interface BackfillDays {
  from?: string;
  to?: string;
}

/** A backfill that has not ended. */
export interface OpenBackfill extends BackfillDays {
  /** Its id, also in `runs`. */
  run: string;
  sync: string;
  /** How many records are to be delivered; absent: the feed is not read yet. */
  total?: number;
  /** How long processes have worked on it, in ms. */
  workedMs: number;
}
