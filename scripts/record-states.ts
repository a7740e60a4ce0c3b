import type { Knowledge, RecordsTable } from '../src/ledger/database/schema.ts';
import type * as transitions from '../src/ledger/records/transitions.ts';

// What a record may be, and what moves it. docs/development/delivery-protocol.md shows the states, and the simulation compares every
// change of a record with these lists.

/** What a delivery is to achieve. */
export const goals = {
  have: 'The item has the content of the source.',
  haveOnce: 'The undo of a delete: the item is created again, and never written over.',
  exactly: 'The mark of a missing record, or the restore of an undo: the item gets these attributes, and nothing else.',
  gone: 'The item is deleted.',
  leave: 'Nothing is begun: editors have deleted the item, or the source withdrew the record before it was delivered.',
} as const;
type GoalName = keyof typeof goals;

/** What is known of the item, and how this shows in `cms_id`, `has` and the open attempts. */
export const knowledge = {
  none: { means: 'There is none.', shows: 'no id, nothing open' },
  refused: {
    means: 'The CMS answered every create with an error. It counts as absent, and is looked up before another create.',
    shows: 'no id, every open attempt was refused',
  },
  maybe: { means: 'A create may have made one.', shows: 'no id, an open attempt was not refused' },
  found: {
    means: 'A look-up has given its id. Nothing is confirmed.',
    shows: 'an id, nothing delivered, no open DELETE',
  },
  known: { means: 'The CMS has confirmed it.', shows: 'an id, something delivered, no open DELETE' },
  maybeGone: { means: 'A delete may have removed it.', shows: 'an id, an open DELETE' },
} as const satisfies Record<Knowledge, unknown>;

/** What is being done. */
export const works = {
  settled: 'Nothing is left to do.',
  due: 'A process may claim the record, from some time on.',
  claimed: 'A process has claimed the record; no other may before the lease ends.',
  stuck: 'Held or failed: a plan, a retry or a person decides.',
} as const;
type Work = keyof typeof works;

export interface StateWords {
  goal: GoalName;
  knows: Knowledge;
  work: Work;
}

const anything = ['none', 'refused', 'maybe', 'found', 'known', 'maybeGone'] as const satisfies Knowledge[];
const unsettled = ['due', 'claimed', 'stuck'] as const satisfies Work[];

/** The states: each combination of the words of a row. */
export const states: ReadonlyArray<{ [Word in keyof StateWords]: ReadonlyArray<StateWords[Word]> }> = [
  { goal: ['have', 'exactly', 'gone', 'leave'], knows: anything, work: unsettled },
  // Once the item is confirmed, it gets the content of the source like any other.
  { goal: ['haveOnce'], knows: ['none', 'refused', 'maybe', 'found'], work: unsettled },
  { goal: ['have', 'exactly', 'leave'], knows: ['known'], work: ['settled'] },
  { goal: ['exactly', 'gone', 'leave'], knows: ['none'], work: ['settled'] },
];

/** `nothing`: the ledger does not have the record. */
type Steps<Word extends string> =
  | 'unchanged'
  | { from: ReadonlyArray<Word | 'nothing'>; to: ReadonlyArray<Word | 'nothing'> };

export interface Move {
  means: string;
  /** The function or constant of transitions.ts; absent: it has the same name. */
  by?: keyof typeof transitions;
  knows: ReadonlyArray<Steps<Knowledge>>;
  work: ReadonlyArray<Steps<Work>>;
}

const unchanged = ['unchanged'] as const;
const mayHaveSent: Move['knows'] = ['unchanged', { from: ['none', 'refused'], to: ['maybe'] }];
const underClaim: Move['work'] = [{ from: ['claimed'], to: ['claimed'] }];
const ended: Move['work'] = [{ from: ['claimed'], to: ['settled', 'due'] }];
const item = ['found', 'known', 'maybeGone'] as const;

/** The moves. Claims are begun, renewed and released in a table of their own. A settlement whose goal has changed since the claim leaves the record due. */
export const moves = {
  planned: {
    means: 'A plan adds a record; an item that the plan has found for it is adopted.',
    knows: [{ from: ['nothing'], to: ['none', 'known'] }],
    work: [{ from: ['nothing'], to: ['due', 'stuck'] }],
  },
  relinked: {
    means: 'The item of a record that the ledger has lost, or believes to be removed, was found by its external id.',
    knows: [{ from: ['nothing', 'none', 'refused'], to: ['known'] }],
    work: [{ from: ['nothing', 'settled', 'due', 'stuck'], to: ['settled'] }],
  },
  replanned: {
    means: 'A plan changes what is desired, or holds it back; an item that the plan has found is adopted.',
    knows: ['unchanged', { from: ['none', 'refused', 'maybe'], to: ['known'] }],
    work: ['unchanged', { from: ['settled', 'due', 'stuck'], to: ['due', 'stuck'] }],
  },
  acted: {
    means: 'A plan deletes, marks or restores the item.',
    knows: unchanged,
    work: ['unchanged', { from: ['settled', 'stuck'], to: ['due'] }],
  },
  withdrawn: {
    means: 'The source has taken back an undelivered change: the CMS has what is desired.',
    knows: [{ from: ['known'], to: ['known'] }],
    work: [{ from: ['due', 'stuck', 'claimed'], to: ['settled'] }],
  },
  doubted: {
    means: 'A call was opened while the record was withdrawn: the next plan decides.',
    knows: unchanged,
    work: [{ from: ['settled'], to: ['due'] }],
  },
  leftAlone: {
    means: 'The source skips or lacks an undelivered record: it is not retried.',
    knows: unchanged,
    work: unchanged,
  },
  missed: { means: 'A complete reading of the source lacks the record.', knows: unchanged, work: unchanged },
  returned: { means: 'The source has the record again.', knows: unchanged, work: unchanged },
  noted: { means: 'The source has the record as the CMS has it.', knows: unchanged, work: unchanged },
  setAside: {
    means: 'The source is about to give the record another key, which another one may still have.',
    knows: unchanged,
    work: unchanged,
  },
  rekeyed: { means: 'The source has given the record another key.', knows: unchanged, work: unchanged },
  renamed: { means: 'The sync was renamed, or has become a source of another one.', knows: unchanged, work: unchanged },

  lapsed: {
    means: 'The lease of a claim has ended without a result: its creates may have been sent.',
    knows: mayHaveSent,
    work: [{ from: ['claimed'], to: ['due', 'stuck'] }],
  },
  exited: {
    means: 'The process that held the claim has exited; its request may still be under way.',
    knows: mayHaveSent,
    work: [{ from: ['claimed'], to: ['due', 'stuck'] }],
  },
  found: {
    means: 'A look-up has found the item that a create has left.',
    knows: [{ from: ['none', 'refused', 'maybe'], to: ['found'] }],
    work: underClaim,
  },
  relocated: {
    means: 'The item is under another id, where it shows the external id of the record, or as a person says.',
    knows: unchanged,
    work: unchanged,
  },
  contested: {
    means: 'Another record took the same item at the same moment, so this one gives it up.',
    knows: [{ from: ['found'], to: ['refused', 'maybe'] }],
    work: underClaim,
  },
  deleting: { means: 'A DELETE is about to be sent.', knows: [{ from: item, to: ['maybeGone'] }], work: underClaim },
  marking: { means: 'The PATCH of a mark is about to be sent.', knows: unchanged, work: underClaim },

  confirmed: {
    means: 'The CMS has the item as desired.',
    by: 'settled',
    knows: [{ from: ['none', 'refused', 'maybe', ...item], to: ['known'] }],
    work: ended,
  },
  removed: {
    means: 'The CMS no longer has the item, or never had one, as desired.',
    by: 'settled',
    knows: [{ from: anything, to: ['none'] }],
    work: ended,
  },
  deletedByOthers: {
    means: 'Editors have deleted the item. It stays deleted, even if the source has changed meanwhile.',
    by: 'settled',
    knows: [{ from: item, to: ['none'] }],
    work: ended,
  },
  createdAgain: {
    means: 'The item was deleted, and is looked up and created again.',
    by: 'settled',
    knows: [{ from: item, to: ['maybe'] }],
    work: [{ from: ['claimed'], to: ['due'] }],
  },
  refused: {
    means: 'The CMS has refused the change, or a person has to decide.',
    by: 'settled',
    knows: unchanged,
    work: [{ from: ['claimed'], to: ['stuck', 'due'] }],
  },
  unanswered: {
    means: 'The change is tried again, because there was no answer, no turn or no proof.',
    by: 'settled',
    knows: unchanged,
    work: [{ from: ['claimed'], to: ['due'] }],
  },
  reconsidered: {
    means: 'Attempts were opened or closed: follows what was refused or unanswered, and the wish to look an item up.',
    knows: [
      'unchanged',
      { from: ['none', 'maybe'], to: ['none', 'refused'] },
      { from: ['none', 'refused'], to: ['maybe'] },
      { from: ['maybeGone'], to: ['known', 'found'] },
    ],
    work: unchanged,
  },
  forgotten: {
    means: 'The ledger no longer needs the record. Its item, if there is one, stays.',
    by: 'forget',
    knows: [{ from: anything, to: ['nothing'] }],
    work: [{ from: ['settled', ...unsettled], to: ['nothing'] }],
  },
} as const satisfies Record<string, Move>;

/** The steps of one word of a move, each as from and to. */
export function stepsIn<Word extends string>(
  steps: ReadonlyArray<Steps<Word>>,
): Array<[Word | 'nothing', Word | 'nothing']> {
  return steps.flatMap((each) =>
    each === 'unchanged' ? [] : each.from.flatMap((from) => each.to.map((to): [typeof from, typeof to] => [from, to])),
  );
}

type StateColumns = 'goal' | 'expects' | 'knows' | 'has' | 'status';
/** `claimed`: 1 if a claim on the record has not ended. */
type StateRow = Pick<RecordsTable, StateColumns> & { claimed: number };

/** Reads the state of a record from its row, and from the claims. */
export function recordStateOf(row: StateRow): StateWords {
  return { goal: goalOf(row), knows: row.knows, work: workOf(row) };
}

function goalOf({ goal, expects, has, status }: Pick<RecordsTable, StateColumns>): GoalName {
  if (status === 'deleted' || goal === 'leave') return 'leave';
  if (goal === 'delete') return 'gone';
  if (goal !== 'have') return 'exactly';
  return expects === null || has !== null ? 'have' : 'haveOnce';
}

function workOf({ status, claimed }: StateRow): Work {
  if (claimed === 1) return 'claimed';
  if (status === 'pending') return 'due';
  return status === 'held' || status === 'failed' ? 'stuck' : 'settled';
}
