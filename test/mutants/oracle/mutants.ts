import { inFile, type Mutant } from '../mutant.ts';

/** Bugs about identity, each of which makes some history of readings silently wrong. */
export const oracleMutants: Mutant[] = [
  ...inFile('src/sync/sameness/judge-kept.ts', [
    {
      name: 'accounts-pass-on-by-chance',
      rule: 'An account is never given to another person without an answer',
      before: "found.resource === 'accounts' || old.isMissing ||",
      after: 'old.isMissing ||',
    },
    {
      name: 'distinct-updates-the-item',
      rule: '--distinct: the item stays as it is, and the record is created',
      before: "|| answer === 'distinct') {",
      after: ') {',
    },
  ]),
  ...inFile('src/sync/sameness/judge-comers.ts', [
    {
      name: 'distinct-means-same',
      rule: '--distinct: it is another one',
      before: "answer === 'same' && lost.has(key)",
      after: "answer !== 'deferred' && lost.has(key)",
    },
  ]),
  ...inFile('src/sync/sameness/same-thing.ts', [
    {
      name: 'same-title-and-day-is-new',
      rule: 'A new record with the title and day of a missing one is asked about',
      before: "{ if: { title: ['equal'], day: ['equal'] }, means: 'the same title and day' },",
      after: "{ if: { title: ['equal'], day: ['equal'], start: ['equal'] }, means: 'the same title and day' },",
    },
  ]),
  ...inFile('src/sync/sameness/names.ts', [
    {
      name: 'moved-by-days-is-new',
      rule: 'A new record with the title and place of a missing one, some days apart, is asked about',
      before: 'const NEAR_DAYS = 14;',
      after: 'const NEAR_DAYS = 0;',
    },
  ]),
];
