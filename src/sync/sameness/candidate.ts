import type { Occurrence, Payload, Resource } from '../../core/record.ts';

/** A record that is missing, as the source had it last, or a new one. */
export interface Candidate {
  key: string;
  /** The keys that it has had before. */
  formerKeys?: readonly string[];
  resource: Resource;
  payload: Payload;
  occurrence?: Occurrence;
  /** Its item was deleted. */
  deleted?: object;
}

/** What else is known of the feed. */
export interface Surroundings {
  /** The occurrences that are known to be the same: their keys did not change, or an earlier grade has matched them. */
  kept: readonly Occurrence[];
  /** What the site's clock shows: YYYY-MM-DDTHH:MM:SS. */
  now: string;
  /** The attributes that have the same value in all records. */
  constants: ReadonlySet<string>;
}

/** Pairs missing records with new ones. A record is in one pair at most. */
export type Match = <Gone extends Candidate, Fresh extends Candidate>(
  gone: readonly Gone[],
  fresh: readonly Fresh[],
  surroundings: Surroundings,
) => Array<[Gone, Fresh]>;
