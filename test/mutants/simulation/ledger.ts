import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in what the ledger guarantees: claims, leases, locks, and what it remembers. */
export const ledgerMutants: Mutant[] = [
  ...inFile('src/ledger/records/settle.ts', [
    {
      name: 'fencing-token-ignored',
      rule: 'Settling with an older token has no effect',
      before: 'and records.claim_token = settled.claim_token and records.claim_until',
      after: 'and records.claim_until',
    },
    {
      name: 'claim-not-checked-at-settle',
      rule: 'A result counts only while the record is claimed by the process that settles it',
      before: 'and records.claim_token = settled.claim_token and records.claim_until >= ${now}',
      after: '',
    },
  ]),
  ...inFile('src/ledger/records/claims.ts', [
    {
      name: 'claim-given-twice',
      rule: 'A record is claimed by one process at a time',
      before: ".where(({ or, eb }) => or([eb('claim_until', 'is', null), eb('claim_until', '<', now)]))",
      after: '',
    },
    {
      name: 'lease-by-the-clock-of-the-process',
      rule: 'Leases count by the clock of the ledger',
      before: 'claim_until: sql<number>`${now} + ${leaseMs}`,\n        create_unconfirmed_before_claim',
      after: 'claim_until: runtime.now() + leaseMs,\n        create_unconfirmed_before_claim',
    },
    {
      name: 'create-not-noted-before-it-is-sent',
      rule: 'The ledger knows of a create before it is sent',
      before: 'sql<number>`case when cms_id is null then 1 else 0 end`',
      after: 'sql<number>`create_unconfirmed`',
    },
    {
      name: 'exited-claims-free-at-once',
      rule: 'Requests of a process that has exited may still be on their way',
      before: 'retry_at: sql<number>`${now} + ${quietMs}`',
      after: 'retry_at: null, create_unconfirmed: sql<number>`create_unconfirmed_before_claim`',
    },
    {
      name: 'reading-from-before-the-create-is-enough',
      rule: 'A list proves an absence only if it was read after the last create',
      before: 'const quietSince = end - agoMs;',
      after: 'const quietSince = 0;',
    },
  ]),
  ...inFile('src/ledger/records/unconfirmed-creates.ts', [
    {
      name: 'sent-payload-forgotten',
      rule: 'An item is looked up by what an earlier create may have sent',
      before: "then '[' || records.desired || ']'\n  when",
      after: 'then null\n  when',
    },
    {
      name: 'sent-update-forgotten',
      rule: 'What an unconfirmed update may have sent is no edit of an editor',
      before: 'when ${isUpdateUnconfirmed} or ${isOlderThanKnown} then ${unconfirmedUpdates} else',
      after: 'else',
    },
  ]),
  ...inFile('src/ledger/records/known-record.ts', [
    {
      name: 'unconfirmed-update-counts-as-not-sent',
      rule: 'Attributes that an unconfirmed update may have changed are unknown',
      before: "return cms_id !== null && status !== 'delivered' && refused_hash === null;",
      after: 'return false;',
    },
  ]),
  ...inFile('src/ledger/plans/make-desired.ts', [
    {
      name: 'item-forgotten-with-a-change',
      rule: 'A record keeps its item',
      before: 'cms_id = coalesce(records.cms_id, excluded.cms_id)',
      after: 'cms_id = excluded.cms_id',
    },
    {
      name: 'create-forgotten-with-a-delete',
      rule: 'An unconfirmed create of a record that is to be deleted is looked up by what was sent',
      before: 'update records set action = staged_changes.op, expected_item_hash',
      after: 'update records set create_unconfirmed = 0, action = staged_changes.op, expected_item_hash',
    },
  ]),
  ...inFile('src/ledger/plans/missing-records.ts', [
    {
      name: 'missing-after-one-run',
      rule: 'A record is deleted when it was missing in as many runs as configured',
      before: 'missing_runs + 1 >=',
      after: 'missing_runs + 2 >=',
    },
    {
      name: 'removals-of-last-days-forgotten',
      rule: 'What was removed in the last days counts, so that a feed that shrinks slowly is held, too',
      before: 'return Number(rows[0]?.removed ?? 0);',
      after: 'return 0;',
    },
  ]),
  ...inFile('src/ledger/plans/staged-plan.ts', [
    {
      name: 'skipped-records-not-counted',
      rule: 'The counts of a run balance',
      before: "sum('failed', 'held') + unchanged + skipped + rejected",
      after: "sum('failed', 'held') + unchanged + rejected",
    },
  ]),
  ...inFile('src/ledger/runs/finish-run.ts', [
    {
      name: 'outcomes-overwrite-each-other',
      rule: 'The counts of a run balance',
      before: 'counts[count] += Number(records)',
      after: 'counts[count] = Number(records)',
    },
    {
      name: 'broken-off-run-does-not-balance',
      rule: 'What a run that broke off has not done counts as failed',
      before: "brokeOff(end?.code) ? withRest(counts, 'failed') : counts",
      after: 'counts',
    },
  ]),
  ...inFile('src/ledger/runs/runs.ts', [
    {
      name: 'run-lock-given-twice',
      rule: 'A sync has one run at a time',
      before: 'if (!lapsed && !runtime.isGone(holder)) return false;',
      after: '',
    },
    {
      name: 'run-of-a-dead-process-kept',
      rule: 'A run whose process has died is ended when the next one begins',
      before: 'if (!lapsed && !runtime.isGone(holder)) return false;',
      after: 'return false;',
    },
  ]),
  ...inFile('src/ledger/target/target-state.ts', [
    {
      name: 'permits-of-others-overwritten',
      rule: 'Permits are replaced only if they are still those that were seen',
      before:
        "conflict.column('target').doUpdateSet({ permits }).where('targets.permits', '=', JSON.stringify(before))",
      after: "conflict.column('target').doUpdateSet({ permits })",
    },
    {
      name: 'probe-lease-not-taken',
      rule: 'One request of all processes tests whether a paused CMS has recovered',
      before:
        'sql<boolean>`(probe_until is null or probe_until not between ${now} and ${now} + ${leaseMs} or probe_holder = ${exited})`',
      after: 'sql<boolean>`true`',
    },
  ]),
];
