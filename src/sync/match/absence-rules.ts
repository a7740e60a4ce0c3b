import { type FactCondition, meets } from '../identity/condition.ts';

/** Of what the absence is to be proven. */
export const questions = {
  deleted: 'the item of a record, for whose id the CMS returns 404',
  created: 'an item that a create may have left',
} as const;

/** What is known of a reading of the lists that shows no such item. */
export const evidence = {
  create: {
    settled: 'the create ended so long ago that the lists show its item',
    young: 'the lists may be late for its item alone, although they show items that were created after it',
  },
  list: { whole: 'it shows as many items as it counts', short: 'it shows fewer' },
  others: {
    shown: 'the lists show one of the three other items of the sync, or else of other syncs, that were confirmed last',
    hidden: 'the CMS has one of them, but the lists do not show it',
    many: 'the CMS has none of the three',
    few: 'there are one or two others, and the CMS has none of them',
    none: 'the ledger has no other item',
  },
  deletion: {
    confirmed: 'the CMS has just confirmed a delete of the item',
    none: 'it has not: none was sent, or its answer was lost',
  },
  reading: { known: 'it shows an item that the ledger knows', strange: 'it shows none' },
  strangers: { shown: 'the CMS shows any other item, in a list and by its id', none: 'it shows none' },
} as const;

/** What follows. */
export const verdicts = {
  later: 'looked up again once the create is settled',
  unproven: 'the absence is not proven',
  again: 'the lists are read again, and have to show the same',
  absent: 'the absence is proven',
} as const;
export type AbsenceVerdict = keyof typeof verdicts;

/** Facts of which only what was asked is given. */
export type KnownFacts = { question: keyof typeof questions } & {
  -readonly [Name in keyof typeof evidence]?: keyof (typeof evidence)[Name];
};

/** The first rule whose conditions hold decides. docs/development/delivery-protocol.md is printed from it. */
export const absenceRules: ReadonlyArray<{ if: FactCondition<KnownFacts>; is: AbsenceVerdict; because: string }> = [
  {
    if: { question: ['created'], create: ['young'] },
    is: 'later',
    because: 'a list that is late shows older items, and lacks this one',
  },
  {
    if: { question: ['deleted'], deletion: ['confirmed'] },
    is: 'absent',
    because: 'the answer to the delete, the id and the list agree',
  },
  { if: { list: ['short'] }, is: 'unproven', because: 'the item may be among those that the list lacks' },
  { if: { others: ['hidden'] }, is: 'unproven', because: 'the list lacks items that exist' },
  { if: { others: ['many'] }, is: 'unproven', because: 'the CMS has probably lost items' },
  {
    if: { others: ['few'], strangers: ['none'] },
    is: 'unproven',
    because: 'nothing shows that the lists and the items can be read',
  },
  {
    if: { question: ['deleted'], others: ['none'], strangers: ['none'] },
    is: 'unproven',
    because: 'an empty list beside a known item proves nothing',
  },
  {
    if: { question: ['deleted'], others: ['shown'], strangers: ['none'] },
    is: 'unproven',
    because: 'the CMS returns 404 for items that its lists show',
  },
  {
    if: { others: ['shown'], reading: ['strange'] },
    is: 'again',
    because: 'this list may be empty for a while, although others are not',
  },
  { if: {}, is: 'absent', because: 'the lists work, and would show the item' },
];

/** Judges the absence of an item by what is known. */
export function judgeAbsence(known: KnownFacts): AbsenceVerdict {
  return absenceRules.find((rule) => meets(known, rule.if))?.is ?? 'unproven';
}
