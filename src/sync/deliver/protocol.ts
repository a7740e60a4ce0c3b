import { CodedError } from '../../core/errors.ts';
import type { Knowledge } from '../../ledger/database/schema.ts';
import type { Goal } from '../../ledger/records/claimed-record.ts';

/** What a delivery has seen in the CMS. */
export const sights = {
  notAsked: 'the CMS was not asked',
  nothingToSend: 'the CMS was not asked: no attribute differs from what was delivered',
  oneItem: 'one item is what a create of the record has left',
  several: 'several items may be it, or an item may be it in part',
  anothersItem: "an item has the record's external id, and the ledger has the item as another record",
  unproven: 'the CMS does not show enough to tell whether there is an item',
  provenAbsent: 'there is no item, and the lists of the CMS prove it',
  ownItem: "the item is the record's, and as its change expects it",
  editedSince: "the item is the record's, and was edited since its change was decided",
  movedItem: "one item shows the record's external id, under another id",
  foreignItem: "the item is not the record's",
} as const;
export type Sight = keyof typeof sights;
const sightNames = Object.keys(sights) as Sight[];

/** What a delivery does. */
export const actions = {
  create: 'sends a POST',
  relocate: 'gives the record the new id of its item, and observes again',
  take: 'makes the record the owner of the item, and observes again',
  patch: 'sends the attributes that differ from what was delivered, less what editors own',
  patchFound: 'sends all attributes, less what editors have changed and what only a create sets',
  patchAll: 'sends all attributes of the mark or restore',
  remove: 'sends a DELETE',
  settleCreated: 'settles the record as created',
  settleUnchanged: 'settles the record as unchanged',
  settleRemoved: 'settles the record as removed',
  leaveDeleted: 'settles the record as deleted in the CMS',
  followPolicy:
    'settles the record as deleted in the CMS, or creates it again as `onDeletedInCms` says, after a look-up',
  createAgain: 'creates the record again, after a look-up',
  holdAmbiguous: 'holds the record (`FF_CMS_AMBIGUOUS`)',
  holdForeign: 'holds the record (`FF_CMS_FOREIGN`)',
  holdEdited: 'holds the record (`FF_UNDO_EDITED`)',
  tryLater: 'tries again later, and holds the record in the end (`FF_CMS_UNPROVEN`)',
} as const;
export type Action = keyof typeof actions;

type GoalName = Goal['is'];

interface Rule<Does> {
  goals: readonly GoalName[];
  knows: readonly Knowledge[];
  sees: readonly Sight[];
  does: Does;
}

const goals: readonly GoalName[] = ['have', 'haveOnce', 'exactly', 'gone'];
const doubt = ['refused', 'maybe'] as const;
const item = ['found', 'known', 'maybeGone'] as const;

/** What is done for each goal, knowledge of the item, and sight. docs/development/delivery-protocol.md is printed from it. */
export const rules: ReadonlyArray<Rule<Action>> = [
  { goals: ['have', 'haveOnce'], knows: ['none'], sees: ['notAsked'], does: 'create' },
  { goals: ['exactly', 'gone'], knows: ['none'], sees: ['notAsked'], does: 'settleRemoved' },

  { goals, knows: doubt, sees: ['oneItem'], does: 'take' },
  { goals, knows: doubt, sees: ['several', 'anothersItem'], does: 'holdAmbiguous' },
  { goals: ['have', 'haveOnce'], knows: doubt, sees: ['provenAbsent'], does: 'create' },
  { goals: ['exactly', 'gone'], knows: doubt, sees: ['provenAbsent'], does: 'settleRemoved' },

  { goals: ['have'], knows: ['known'], sees: ['nothingToSend'], does: 'settleUnchanged' },
  { goals: ['have'], knows: ['found'], sees: ['ownItem'], does: 'patchFound' },
  { goals: ['have'], knows: ['known', 'maybeGone'], sees: ['ownItem'], does: 'patch' },
  { goals: ['have'], knows: ['found', 'known'], sees: ['provenAbsent'], does: 'followPolicy' },
  { goals: ['have'], knows: ['maybeGone'], sees: ['provenAbsent'], does: 'createAgain' },

  { goals: ['haveOnce'], knows: ['found'], sees: ['ownItem'], does: 'settleCreated' },
  { goals: ['haveOnce'], knows: ['found'], sees: ['provenAbsent'], does: 'leaveDeleted' },

  { goals: ['exactly'], knows: item, sees: ['ownItem'], does: 'patchAll' },
  { goals: ['exactly'], knows: item, sees: ['provenAbsent'], does: 'leaveDeleted' },
  { goals: ['gone'], knows: item, sees: ['ownItem'], does: 'remove' },
  { goals: ['gone'], knows: item, sees: ['provenAbsent'], does: 'settleRemoved' },
  { goals: ['exactly', 'gone'], knows: item, sees: ['editedSince'], does: 'holdEdited' },

  { goals, knows: item, sees: ['movedItem'], does: 'relocate' },
  { goals, knows: item, sees: ['foreignItem'], does: 'holdForeign' },
  { goals, knows: [...doubt, ...item], sees: ['unproven'], does: 'tryLater' },
];

/** What cannot happen, and why. */
export const impossible: ReadonlyArray<Omit<Rule<never>, 'does'> & { because: string }> = [
  {
    goals: ['haveOnce'],
    knows: ['known', 'maybeGone'],
    sees: ['ownItem', 'provenAbsent'],
    because:
      'an undo creates an item for a record that has none, and once it is confirmed the goal is to have the content',
  },
  {
    goals,
    knows: ['none'],
    sees: sightNames.filter((sight) => sight !== 'notAsked'),
    because: 'no create was sent, so there is nothing to look for',
  },
  { goals, knows: [...doubt, ...item], sees: ['notAsked'], because: 'the CMS is asked before anything is sent' },
  {
    goals,
    knows: doubt,
    sees: ['nothingToSend', 'ownItem', 'editedSince', 'movedItem', 'foreignItem'],
    because: 'the record has no item whose state could be compared',
  },
  {
    goals,
    knows: item,
    sees: ['oneItem', 'several', 'anothersItem'],
    because: 'a record that has an item does not look for one',
  },
  {
    goals: ['have', 'haveOnce'],
    knows: item,
    sees: ['editedSince'],
    because: 'only a mark, a restore and a delete expect a state of the item',
  },
  {
    goals: ['haveOnce', 'exactly', 'gone'],
    knows: item,
    sees: ['nothingToSend'],
    because: 'only an item that gets the content of the source is compared before the CMS is asked',
  },
  {
    goals: ['have'],
    knows: ['found', 'maybeGone'],
    sees: ['nothingToSend'],
    because: 'the content of the item is not certain',
  },
];

/** Returns what is done. @throws CodedError FF_BUG for what cannot happen */
export function actionFor(goal: GoalName, knows: Knowledge, sees: Sight): Action {
  const rule = rules.find(
    (each) => each.goals.includes(goal) && each.knows.includes(knows) && each.sees.includes(sees),
  );
  if (rule) return rule.does;
  throw new CodedError(
    'FF_BUG',
    `No rule says what to do about the goal "${goal}" if the item is "${knows}" and the CMS shows "${sees}".`,
  );
}
