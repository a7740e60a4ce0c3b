import { inFile, type Mutant } from '../mutant.ts';

/** Bugs that were chosen from the product and its documentation alone, without a look at the simulation that has to find them. */
export const outsideMutants: Mutant[] = [
  ...inFile('src/sync/deliver/second-look.ts', [
    {
      name: 'create-forgotten-by-a-failed-second-look',
      rule: 'An error of the look at a written item leaves open whether the write was applied',
      before: 'progress.isInDoubt = true;',
      after: '',
    },
  ]),
  ...inFile('src/sync/evidence/evidence.ts', [
    {
      name: 'old-value-passes-as-rewritten',
      rule: 'The value from before a write is no form of the new one, even if the CMS rewrites the attribute',
      before: "return isKnownForm(path, wanted, shown, former) ? 'rewritten' : 'notTaken';",
      after: "return former.rewrites(path) || isKnownForm(path, wanted, shown, former) ? 'rewritten' : 'notTaken';",
    },
  ]),
  ...inFile('src/sync/identity/grades.ts', [
    {
      name: 'item-owned-by-its-day-alone',
      rule: 'The item under the id of a record needs more of its content than the day or the title',
      before: "own: 'alike',",
      after: "own: 'partly',",
    },
  ]),
  ...inFile('src/sync/deliver/observe.ts', [
    {
      name: 'relocated-to-a-rewritten-copy',
      rule: 'A record gets the new id of its item only if the item there has something of its content',
      before: 'isIt(live, payloads)',
      after: 'live.id === cmsId',
    },
  ]),
  ...inFile('src/sync/match/settle-alike.ts', [
    {
      name: 'answer-outlives-the-look',
      rule: 'What a person has said about a record that looks like an item ends when the look of the record changes',
      before: 'return answer?.aboutHash === aboutHash ? answer.answer : undefined;',
      after: 'return answer?.answer;',
    },
  ]),
  ...inFile('src/ledger/database/conditions.ts', [
    {
      name: 'ended-run-still-sends',
      rule: 'Nothing is sent for a run that has ended, even under a claim that still holds',
      before: "where runs.id = ${sql.ref(`${table}.run`)} and runs.status = 'running' and runs.cancelled is null",
      after: "where runs.id = ${sql.ref(`${table}.run`)} and runs.status <> 'planned'",
    },
  ]),
  ...inFile('src/sync/deliver/without-files.ts', [
    {
      name: 'waiting-picture-lost-with-another-change',
      rule: 'A file that is not to be tried yet stays undelivered when another change of its record is delivered',
      before: 'if (kept.length + failures.length === 0) return undefined;',
      after: 'if (failures.length === 0) return undefined;',
    },
  ]),
  ...inFile('src/ledger/records/transitions.ts', [
    {
      name: 'missing-since-the-last-reading',
      rule: 'The time for which a record is missing begins with the first reading that lacks it',
      before: 'missing_since: sql`coalesce(records.missing_since, ${now})`,',
      after: 'missing_since: now,',
    },
    {
      name: 'withdrawn-mark-counts-as-applied',
      rule: 'An item is marked only once its mark was sent: the mark of a record that returns before that leaves nothing',
      before: "goal: 'have',\n    wanted: sql`coalesce((${read})",
      after: 'wanted: sql`coalesce((${read})',
    },
  ]),
  ...inFile('src/ledger/records/closing.ts', [
    {
      name: 'other-content-taken-for-a-repeat',
      rule: 'A call without an answer adds no doubt only if an earlier one has sent the same content',
      before: ' and earlier.body is not distinct from opened.body',
      after: '',
    },
  ]),
  ...inFile('src/sync/compare/authority.ts', [
    {
      name: 'form-of-the-cms-taken-for-an-edit',
      rule: 'What the CMS has made of a value of ours is no edit of an editor',
      before: '{ written: partsLike(valueAt(answer, attribute), sent[attribute] ?? null) }',
      after: '{ written: sent[attribute] ?? null }',
    },
  ]),
  ...inFile('src/sync/undo/judge-change.ts', [
    {
      name: 'undo-deletes-what-editors-added',
      rule: 'An undo deletes a created item only if it has no content that feedferry never sent',
      before: 'return [...edited, ...added.map(([attribute]) => attribute)];',
      after: 'return edited;',
    },
  ]),
  ...inFile('src/sync/compare/changes.ts', [
    {
      name: 'refusal-survives-a-corrected-config',
      rule: 'A record that the CMS has refused is sent again once the config that decides how it is sent has changed',
      before: 'return hashJson([hash, configHash]);',
      after: 'return hashJson([hash]);',
    },
  ]),
];
