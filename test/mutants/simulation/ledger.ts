import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in what the ledger guarantees: claims, leases, locks, and what it remembers. */
export const ledgerMutants: Mutant[] = [
  ...inFile('src/ledger/records/settle.ts', [
    {
      name: 'claim-not-checked-at-settle',
      rule: 'A result counts only while the record is claimed by the process that settles it',
      before: ' and ${isOurs(sql`settled.claim_token`, now)}',
      after: '',
    },
    {
      name: 'late-holder-closes-attempts',
      rule: 'What a process finds out after its claim has lapsed ends no doubt',
      before: 'settlements.filter(isOurs), database',
      after: 'settlements, database',
    },
  ]),
  ...inFile('src/ledger/database/conditions.ts', [
    {
      name: 'fencing-token-ignored',
      rule: 'Settling with an older token has no effect',
      before:
        'records.ended_claim is distinct from ${token}\n  and exists (select 1 from claims where claims.token = ${token} and claims.until',
      after: 'exists (select 1 from claims where claims.until',
    },
  ]),
  ...inFile('src/ledger/records/claims.ts', [
    {
      name: 'claim-given-twice',
      rule: 'A record is claimed by one process at a time',
      before: 'holder === null || holder === ended_claim',
      after: 'true',
    },
    {
      name: 'lease-by-the-clock-of-the-process',
      rule: 'Leases count by the clock of the ledger',
      before: '${runtime.process}, ${now} + ${leaseMs}',
      after: '${runtime.process}, ${runtime.now()} + ${leaseMs}',
    },
    {
      name: 'create-not-noted-before-it-is-sent',
      rule: 'The ledger knows of a create before it is sent',
      before: "goal === 'have' && cms_id === null",
      after: 'false',
    },
    {
      name: 'exited-claims-free-at-once',
      rule: 'Requests of a process that has exited may still be on their way',
      before: 'exited(token, now, quietMs)',
      after: '({ ...exited(token, now, 0), quiet_since: 0 })',
    },
  ]),
  ...inFile('src/ledger/records/open-claims.ts', [
    {
      name: 'claim-not-replayed',
      rule: 'What may have been sent under a claim without a result is known once the claim is over',
      before: 'await noteCreates(transaction, claims, database, columns);',
      after: '',
    },
    {
      name: 'claim-ended-in-doubt',
      rule: 'A claim does not end before all of its records are settled or released',
      before: "select 1 from records where ${isOneOf('records.id', records)} and ended_claim is distinct from ${token}",
      after: 'select 1 from records where 1 = 0',
    },
  ]),
  ...inFile('src/ledger/records/claimed-row.ts', [
    {
      name: 'reading-from-before-the-create-is-enough',
      rule: 'A list proves an absence only if it was read after the last create',
      before: 'const since = end - agoMs;',
      after: 'const since = 0;',
    },
  ]),
  ...inFile('src/ledger/records/transitions.ts', [
    {
      name: 'item-forgotten-with-a-change',
      rule: 'A record keeps its item',
      before: 'coalesce(records.cms_id, staged_changes.cms_id)',
      after: 'staged_changes.cms_id',
    },
    {
      name: 'unanswered-create-counts-as-refused',
      rule: 'A create without an answer may have left an item, also if the source no longer has the record',
      before: "then 'maybe' when",
      after: "then 'refused' when",
    },
    {
      name: 'delete-in-doubt-not-known',
      rule: 'The ledger knows that a delete which is about to be sent may remove the item',
      before: "deleting = { knows: 'maybeGone' }",
      after: 'deleting = { knows: sql`records.knows` }',
    },
  ]),
  ...inFile('src/ledger/records/closing.ts', [
    {
      name: 'doubt-ended-by-a-retry',
      rule: 'An attempt stays open until the state of the item is certain',
      before: 'return !isTried || result.isAbsent === true;',
      after: 'return true;',
    },
    {
      name: 'created-again-without-looking',
      rule: 'A record whose item was deleted is created again only after a look-up',
      before: "isRecreated ? 'elsewhere' : 'doubt'",
      after: "isRecreated ? null : 'doubt'",
    },
  ]),
  ...inFile('src/ledger/records/known-record.ts', [
    {
      name: 'unconfirmed-update-counts-as-not-sent',
      rule: 'Attributes that an unconfirmed update may have changed are unknown',
      before: 'inDoubt({ payload, fingerprints }, open);',
      after: 'inDoubt({ payload, fingerprints }, []);',
    },
  ]),
  ...inFile('src/ledger/plans/make-desired.ts', [
    {
      name: 'sent-body-lost-with-a-change',
      rule: 'An open attempt keeps what it has sent if a plan changes what is desired',
      before: 'if (work.open || work.claimed) await keepSent(transaction, plan);',
      after: '',
    },
    {
      name: 'settled-although-in-doubt',
      rule: 'A change that the source takes back is not settled while it may have been sent',
      before: ' and not ${hasOpenAttempt()}',
      after: '',
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
      before: 'return removed ?? 0;',
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
      before: 'counts[count] += records',
      after: 'counts[count] = records',
    },
    {
      name: 'broken-off-run-does-not-balance',
      rule: 'What a run that broke off has not done counts as not sent',
      before: "end?.status === 'failed' ? withRest(counts, isBrokenOff ? 'notSent' : 'failed') : counts",
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
      before: ' where targets.permits = ${JSON.stringify(before)}',
      after: '',
    },
    {
      name: 'probe-lease-not-taken',
      rule: 'One request of all processes tests whether a paused CMS has recovered',
      before:
        'probe_until is null or probe_until not between ${now} and ${now} + ${leaseMs} or probe_holder = ${exited}',
      after: '1 = 1',
    },
  ]),
];
