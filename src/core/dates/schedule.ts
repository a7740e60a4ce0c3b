/** When a sync runs automatically: a cron expression with its zone, or an interval in ms. */
export type Schedule = ({ cron: string; timezone: string } | { everyMs: number }) & {
  /** The longest random delay of a run, in ms. */
  jitterMs?: number;
};
