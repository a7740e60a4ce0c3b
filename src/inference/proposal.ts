import type { Resource } from '../core/record.ts';

/** A rule of a map as a sync file has it: a field, or keys of a rule. */
export type ProposedRule = string | Readonly<Record<string, unknown>>;

/** A key of the sync file with its value and the evidence for it: "14 of 14 values are dates in d.M.yyyy; 9 decide the order". */
export interface Guess<Value> {
  value: Value;
  evidence: string;
}

/** What the data leave open. */
export interface Question {
  /** Names the answer: `resource`, `key`, `format of start`. */
  id: string;
  /** The question as people read it. */
  text: string;
  choices: ReadonlyArray<{ value: string; label: string }>;
  /** The choice that does the least harm if nobody answers. */
  safe: string;
  /** What the sync file says if nobody answers. */
  comment: string;
}

/** A sync that fits a feed, with the evidence for each of its keys. */
export interface Proposal {
  /** Name of the recipe that knows this kind of feed. */
  recipe?: string;
  resource: Guess<Resource>;
  /** The keys of `source` besides `url`, in their order: connector, options of the connector, timezone, deleted. */
  source: Readonly<Record<string, Guess<unknown>>>;
  key: Guess<string | readonly string[]>;
  /** Which records are published. */
  when?: Guess<Readonly<Record<string, unknown>>>;
  /** Attribute → rule, over the map that the format itself has. */
  map: Readonly<Record<string, Guess<ProposedRule>>>;
  /** Attribute → field with a URL or path. */
  attachments: Readonly<Record<string, Guess<string>>>;
  /** Custom attributes that the site may have: written as comments. */
  suggested: Readonly<Record<string, Guess<ProposedRule>>>;
  /** Questions without an answer. The proposal takes the safe choice of each. */
  open: readonly Question[];
  warnings: readonly string[];
}

/** Answers by the `id` of their question. */
export type Answers = Readonly<Record<string, string>>;
