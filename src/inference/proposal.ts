import { isObject, type Resource } from '../core/record.ts';

/** A rule of a map as it is written in a sync file: a field, or keys of a rule. */
export type ProposedRule = string | Readonly<Record<string, unknown>>;

/** A field with a picture, alone or with the field of its alternative text. */
export type ProposedFile = string | Readonly<{ field: string; alt: string }>;

/** Returns whether a value is the rule of a file that names fields only, and no picture of this machine. */
export function isProposedFile(value: unknown): value is ProposedFile {
  const names =
    isObject(value) && Object.keys(value).toSorted().join() === 'alt,field' ? Object.values(value) : [value];
  return names.every((name) => typeof name === 'string');
}

/** A key of the sync file with its value and the evidence for it: "14 of 14 values are dates in d.M.yyyy; 9 decide the order". */
export interface Guess<Value> {
  value: Value;
  evidence: string;
  /** Whether `${NAME}` in its texts refers to a variable. By default, texts are literal, whoever has written them. */
  hasVariables?: boolean;
}

/** A question that the data leave open. */
export interface Question {
  /** Name of the answer: `resource`, `key`, `format of start`. */
  id: string;
  /** The line of the proposal that the question is about: `start`, `source.items`. */
  line: string;
  /** Text of the question for people. */
  text: string;
  choices: ReadonlyArray<{ value: string; label: string }>;
  /** The choice that does the least harm if the question is not answered. */
  safe: string;
  /** Comment in the sync file if the question is not answered. */
  comment: string;
}

/** A sync proposed for a feed, with the evidence for each key. */
export interface Proposal {
  /** Name of the recipe for this kind of feed. */
  recipe?: string;
  resource: Guess<Resource>;
  /** The keys of `source` besides `url`, in their order: connector, options of the connector, timezone, deleted. */
  source: Readonly<Record<string, Guess<unknown>>>;
  key: Guess<string | readonly string[]>;
  /** Condition for the records that are published. */
  when?: Guess<Readonly<Record<string, unknown>>>;
  /** When the sync runs; only if a person has said so. */
  schedule?: Guess<Readonly<Record<string, unknown>>>;
  /** What happens to items whose records the feed no longer has; only if a person has said so. */
  missing?: Guess<Readonly<Record<string, unknown>>>;
  /** Attribute → who may change it on the site after the create. */
  authority?: Guess<Readonly<Record<string, unknown>>>;
  /** Whether days become one event; only if a person has said so. */
  recurrence?: Guess<unknown>;
  /** Attribute → rule, in addition to the default map of the format. */
  map: Readonly<Record<string, Guess<ProposedRule>>>;
  /** Attribute → field with a URL or path, and with its alternative text. */
  attachments: Readonly<Record<string, Guess<ProposedFile>>>;
  /** Rules of custom attributes that the site may have; written as comments. */
  suggested: Readonly<Record<string, Guess<ProposedRule>>>;
  /** Questions without an answer. The proposal uses the safe choice of each question. */
  open: readonly Question[];
  warnings: readonly string[];
}

/** Answers by the `id` of their question. */
export type Answers = Readonly<Record<string, string>>;
