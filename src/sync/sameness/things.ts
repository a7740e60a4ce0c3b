import type { Candidate, Surroundings } from './candidate.ts';

/** What a person has said about two records. */
export interface Said {
  answer: 'same' | 'distinct';
  aboutHash: string;
}

/** The answers of people, by the key of a record of the reading, and then that of the ledger; both are equal if the key was kept. */
export type AnswersByKey = ReadonlyMap<string, ReadonlyMap<string, Said>>;

/** A record of the ledger. Without an item and `deleted`, it was never sent: it waits for an answer. */
export interface GoneThing extends Candidate {
  cmsId: number | null;
  isMissing?: boolean;
  /** It waits for an answer whether its key has passed on. */
  isInDoubt?: boolean;
}

/** The records that the ledger has, and those that a reading has. */
export interface Things<Gone, Fresh> {
  /** Records that the reading lacks. */
  gone: readonly Gone[];
  /** Records with keys that the ledger does not have. */
  fresh: readonly Fresh[];
  /** Records that have kept their keys, but changed what names them. */
  kept: ReadonlyArray<{ old: Gone; found: Fresh }>;
}

/** What else is known. */
export interface Known extends Surroundings {
  answers: AnswersByKey;
  /** How many records the reading has. */
  total: number;
  /** Whether items show the keys of their records: then no item gets the key of another one without an answer. */
  showsKeys: boolean;
  /** Whether what the reading lacks has left the source; if not, no record is recognised under another key without an answer. */
  isWhole: boolean;
  /** Whether the new records were compared with the missing ones before, as those of each of several sources are. */
  areRecognised: boolean;
}

/** A question to a person: `changed`: has the record only got a new key? `reused`: has its key gone to another thing? */
export interface SamenessDoubt<Gone, Fresh> {
  is: 'changed' | 'reused';
  old: Gone;
  found: Fresh;
  /** Another record that was what `found` is now. */
  from?: Gone;
  /** Hash of what tells them apart: an answer ends when it changes; empty: it does not end. */
  aboutHash: string;
}
