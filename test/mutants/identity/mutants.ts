import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in the judgement whether records of a feed are known ones, over several readings. */
export const identityMutants: Mutant[] = [
  ...inFile('src/sync/sameness/same-thing.ts', [
    {
      name: 'past-event-taken-for-a-moved-one',
      rule: 'An event that is over was not moved: the next one of the same title is another',
      before: 'isOver(old.payload, now)',
      after: 'isOver(old.payload, "")',
    },
  ]),
  ...inFile('src/sync/sameness/judge-comers.ts', [
    {
      name: 'two-records-become-one',
      rule: 'A missing record is at most one of the new ones, whatever people have answered about each',
      before: 'lost.delete(old.key);',
      after: '',
    },
    {
      name: 'different-records-asked-about-again',
      rule: 'What a person has called different is not asked about again',
      before: "answersTo(found)?.get(key)?.answer === 'distinct'",
      after: 'false',
    },
  ]),
  ...inFile('src/sync/sameness/judge-kept.ts', [
    {
      name: 'answer-outlives-the-person',
      rule: 'That an account is still the same person holds for that person, and not for the next one with its key',
      before: 'return isStill ? said.answer : undefined;',
      after: 'return said.answer;',
    },
    {
      name: 'account-passes-on-alone',
      rule: 'A person is never given the account of another one, also if nothing else changes in the feed',
      before: "found.resource === 'accounts' || old.isMissing",
      after: 'old.isMissing',
    },
    {
      name: 'items-with-keys-change-places',
      rule: 'Items that show the keys of their records do not get those of others without an answer',
      before: 'known.showsKeys ? exchanged.filter(isConfirmed) : exchanged',
      after: 'exchanged',
    },
  ]),
  ...inFile('src/sync/runs/consult-cms.ts', [
    {
      name: 'a-few-creates-go-unjudged',
      rule: 'No plan creates what was not compared with the items of the CMS',
      before: 'if (creates === 0) return { verdict',
      after: 'if (creates < 3) return { verdict',
    },
  ]),
  ...inFile('src/ledger/plans/missing-records.ts', [
    {
      name: 'item-deleted-before-the-answer',
      rule: 'A record that may be a new one does not count as missing until a person has answered',
      before:
        '    and id not in (select asked_about from staged_changes where run = ${run} and asked_about is not null))`;',
      after: '    )`;',
    },
  ]),
  ...inFile('src/ledger/records/followers.ts', [
    {
      name: 'key-of-another-record-leads-back',
      rule: 'A key that passes on to another record is no former key of the one that had it',
      before:
        'and not exists (select 1 from staged_changes as own where own.run = ${run} and own.key = staged_changes.previous_key)',
      after: '',
    },
  ]),
];
