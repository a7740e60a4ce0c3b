import { inFile, type Mutant } from '../mutant.ts';

/** Bugs that matter in a world beyond ordinary trouble: CMSs that refuse, hide or forget, editors, feeds and configs that change. */
export const strangeWorldMutants: Mutant[] = [
  ...inFile('src/sync/match/prove-absence.ts', [
    {
      name: 'absence-without-a-witness',
      rule: 'Lists prove an absence only if another item shows that they and the items can be read',
      before: 'if (isAlone || isListed) known.strangers',
      after: 'if (isListed) known.strangers',
    },
  ]),
  ...inFile('src/sync/match/witnesses.ts', [
    {
      name: 'item-that-its-list-lacks-not-asked-for',
      rule: 'A list that lacks an item which the CMS has proves no absence',
      before: 'const live = await unlessDeleted(itemsOf(sought.resource, context).get(cmsId));',
      after: 'const live = undefined;',
    },
  ]),
  ...inFile('src/ledger/records/transitions.ts', [
    {
      name: 'missing-runs-kept-by-a-return',
      rule: 'The runs in which a record was missing count from its last return on',
      before: 'returned = { missing_since: null, missing_runs: 0 }',
      after: 'returned = { missing_since: null }',
    },
  ]),
  ...inFile('src/ledger/plans/make-desired.ts', [
    {
      name: 'return-of-a-record-not-noted',
      rule: 'A record that the source has again is no longer missing',
      before: 'if (work.missing) await forgetMissing(transaction, plan);',
      after: '',
    },
    {
      name: 'change-that-was-taken-back-stays-due',
      rule: 'What the source takes back before it was sent is no longer due',
      before: 'if (work.undelivered && (work.unchanged || isLeft)) await settleWithdrawn(transaction, plan, isLeft);',
      after: '',
    },
  ]),
  ...inFile('src/ledger/records/item-ownership.ts', [
    {
      name: 'items-of-others-not-excluded',
      rule: 'What another record has is never taken for the item of this one',
      before: 'return new Map(rows.map(({ cms_id, sync, key }) => [cms_id, { sync, key }]));',
      after: 'return new Map();',
    },
  ]),
  ...inFile('src/sync/deliver/deliver-record.ts', [
    {
      name: 'refusal-of-a-read-refuses-the-record',
      rule: 'Only the answer to a write refuses the content of a record',
      before: "if (error.kind === 'permanent' && !isWrite) return final(undelivered);",
      after: '',
    },
  ]),
  ...inFile('src/sync/deliver/upload-files.ts', [
    {
      name: 'missing-picture-forgotten',
      rule: 'A record whose picture could not be read gets it later',
      before: 'return { ...files, incomplete: withoutFiles({ kept, failures }, itemOf(record), context) };',
      after: 'return files;',
    },
  ]),
  ...inFile('src/sync/plan/map-changed.ts', [
    {
      name: 'changed-source-not-mapped-again',
      rule: 'A record is mapped again if its source or the config has changed',
      before: 'known !== undefined && known.source_hash === sourceHash',
      after: 'known !== undefined',
    },
  ]),
  ...inFile('src/sync/compare/authority.ts', [
    {
      name: 'cleared-text-written-again',
      rule: 'A value that editors have cleared in an attribute of theirs stays cleared',
      before: 'const isOurs = ours.some(',
      after: "const isOurs = (valueAt(live, attribute) ?? '') === '' || ours.some(",
    },
  ]),
  ...inFile('src/sync/identity/grades.ts', [
    {
      name: 'case-of-keys-ignored',
      rule: 'Keys that differ in case are different records',
      before: "['rewritten', { externalId: ['otherCase'] }],",
      after: "['id', { externalId: ['otherCase'] }],",
    },
    {
      name: 'moved-item-not-recognised',
      rule: 'An item that editors have moved or renamed is still that of the record whose external id it has',
      before: "['id', { externalId: ['exact'] }],",
      after: "['other', { externalId: ['exact'], title: ['other'] }],\n  ['id', { externalId: ['exact'] }],",
    },
  ]),
  ...inFile('src/sync/merge/own-records.ts', [
    {
      name: 'second-source-doubles-the-first',
      rule: 'The records of a sync that gets a second source become members of its first one',
      before: 'if (source === undefined) return;',
      after: 'if (source !== undefined) return;',
    },
  ]),
  ...inFile('src/sync/deliver/keep-call.ts', [
    {
      name: 'only-what-is-sent-is-written-ahead',
      rule: 'What a PATCH does not send is in the ledger before it, so that the next process sees what it has emptied',
      before: 'const kept = { ...before, ...unsentIn(record, body, live) };',
      after: 'const kept = { ...before };',
    },
  ]),
  ...inFile('src/sync/items/external-id.ts', [
    {
      name: 'external-id-without-its-sync',
      rule: 'The external ids of two syncs are never equal',
      before: 'return `${sync}:${key}`;',
      after: 'return `any:${key}`;',
    },
  ]),
];
