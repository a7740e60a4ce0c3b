import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in planning, delivery, search and undo. */
export const syncMutants: Mutant[] = [
  ...inFile('src/sync/deliver/deliver-record.ts', [
    {
      name: 'second-post-after-a-timeout',
      rule: 'A second POST is not sent before the item of the first one was looked for',
      before: "error.mayBeApplied) return 'sent';",
      after: "error.mayBeApplied) return sent.method === 'POST' ? undefined : 'sent';",
    },
    {
      name: 'unanswered-update-counts-as-not-sent',
      rule: 'An update without an answer may have been applied',
      before: "error.mayBeApplied) return 'sent';",
      after: "error.mayBeApplied) return sent.method === 'PATCH' ? undefined : 'sent';",
    },
    {
      name: '429-counts-as-an-attempt',
      rule: 'A CMS that asks for a pause says nothing about the record: this is no attempt',
      before: "return error.health === 'busy' ? postponed(Math.max(afterMs, target.backoffMs)) : retry(afterMs);",
      after: 'return retry(afterMs);',
    },
    {
      name: 'look-up-too-early',
      rule: 'A create that has failed may still be in progress: it is not looked up earlier',
      before: "return code === 'FF_CMS_TIMEOUT' ? Math.max(lookupAfterMs, timeoutMs) : lookupAfterMs;",
      after: 'return 0;',
    },
  ]),
  ...inFile('src/sync/deliver/deliver-record.ts', [
    {
      name: 'upload-after-the-look',
      rule: 'An item is looked at after its files were uploaded: that may take minutes',
      before: `let files = await uploadFiles(record, await missingFiles(record, context), context);
    progress.uploads = files.uploads;
    let sees = await observe(record, files, context);`,
      after: `const missing = await missingFiles(record, context);
    const payload = Object.fromEntries(missing.due.map(({ attribute }) => [attribute, { src: '' }]));
    let sees = await observe(record, { payload, fingerprints: {}, uploads: 0 }, context);
    let files = await uploadFiles(record, missing, context);
    progress.uploads = files.uploads;`,
    },
  ]),
  ...inFile('src/sync/deliver/protocol.ts', [
    {
      name: 'unproven-absence-believed',
      rule: 'That there is no item has to be proven',
      before: "knows: doubt, sees: ['provenAbsent'], does: 'create'",
      after: "knows: doubt, sees: ['provenAbsent', 'unproven'], does: 'create'",
    },
    {
      name: 'found-item-keeps-older-content',
      rule: 'An item that an earlier create has left gets what is desired now',
      before: "does: 'patchFound'",
      after: "does: 'settleCreated'",
    },
    {
      name: 'deleted-item-created-again',
      rule: 'What editors have deleted stays deleted',
      before: "sees: ['provenAbsent'], does: 'followPolicy'",
      after: "sees: ['provenAbsent'], does: 'createAgain'",
    },
    {
      name: 'delete-of-ours-taken-for-one-of-editors',
      rule: 'A record that returns after an unconfirmed delete of ours is created again',
      before: "sees: ['provenAbsent'], does: 'createAgain'",
      after: "sees: ['provenAbsent'], does: 'followPolicy'",
    },
  ]),
  ...inFile('src/sync/deliver/observe.ts', [
    {
      name: 'create-not-looked-up',
      rule: 'The item of an unconfirmed create is looked up before another one',
      before: 'return findCreatedItem(record, context);',
      after: "return { is: 'provenAbsent' };",
    },
    {
      name: 'create-forgotten-with-a-delete',
      rule: 'An unconfirmed create of a record that is to be deleted is looked up by what was sent',
      before: 'return findCreatedItem(record, context);',
      after: "return record.goal.is === 'gone' ? { is: 'provenAbsent' } : findCreatedItem(record, context);",
    },
    {
      name: 'undo-over-an-edit-during-the-undo',
      rule: 'An undo leaves what was edited in the CMS after it decided',
      before: "isEditedSince(record, live) ? 'editedSince' : 'ownItem'",
      after: "'ownItem'",
    },
  ]),
  ...inFile('src/sync/deliver/lease.ts', [
    {
      name: 'lapsed-lease-not-noticed',
      rule: 'A request is sent only while the ledger has this process as the holder of the record',
      before: 'return lease.since() < lease.ms - target.lookupAfterMs;',
      after: 'return true;',
    },
    {
      name: 'ledger-not-asked-before-a-request',
      rule: 'A request is sent only while the ledger has this process as the holder of the record',
      before: 'lease = { since, ms: await ledger.records.confirm(claim) };',
      after: 'lease = { since, ms: leaseMs };',
    },
  ]),
  ...inFile('src/sync/deliver/deliver-batch.ts', [
    {
      name: 'run-ends-with-pending-records',
      rule: 'A run ends with the last of its records',
      before: 'if (!run.hasPending) {',
      after: '{',
    },
  ]),
  ...inFile('src/sync/deliver/own-item.ts', [
    {
      name: 'item-of-another-record-written',
      rule: 'An item that is not the one of the record is left alone: a restored CMS may give an id to another one',
      before: '(live.id === cmsId && (await isOwn(live, record, context)))',
      after: 'live.id === cmsId',
    },
    {
      name: 'missing-item-fails-its-record',
      rule: 'A record whose item was deleted in the CMS is skipped or created again, and its delete succeeds',
      before: 'await unlessDeleted(itemsOf(record.resource, context).get(cmsId))',
      after: 'await itemsOf(record.resource, context).get(cmsId)',
    },
  ]),
  ...inFile('src/sync/deliver/perform.ts', [
    {
      name: 'before-image-after-the-patch',
      rule: 'The state that a PATCH changes is stored before it is sent',
      before: 'keepPatch(record, wanted.body, whole, context,',
      after: 'keepPatch(record, wanted.body, { ...whole, ...wanted.body }, context,',
    },
  ]),
  ...inFile('src/sync/deliver/keep-call.ts', [
    {
      name: 'update-not-noted-before-it-is-sent',
      rule: 'The ledger knows of a PATCH before it is sent',
      before: "await keep(record, { method: 'PATCH', body, before: kept, marked, isAgain }, ledger);",
      after: '',
    },
    {
      name: 'delete-not-noted-before-it-is-sent',
      rule: 'The ledger knows of a DELETE before it is sent',
      before: "await keep(record, { method: 'DELETE', body: null, before }, ledger);",
      after: '',
    },
    {
      name: 'before-image-of-the-second-attempt',
      rule: 'What the first of several attempts may have replaced is what an undo brings back',
      before: '{ ...partsOf(live, body), ...images }',
      after: 'partsOf(live, body)',
    },
  ]),
  ...inFile('src/sync/undo/judge-change.ts', [
    {
      name: 'undo-over-a-later-edit',
      rule: 'What was edited in the CMS since is not undone',
      before: 'if (edited.length > 0 && !isBack) {',
      after: 'if (false) {',
    },
  ]),
  ...inFile('src/sync/deliver/bodies.ts', [
    {
      name: 'sent-update-forgotten',
      rule: 'What an unconfirmed update may have sent is no edit of an editor',
      before: 'unconfirmed: bodiesOf(open)',
      after: 'unconfirmed: []',
    },
    {
      name: 'found-item-written-over-edits',
      rule: 'What editors have changed in an item that was found stays, if it is theirs',
      before: 'respectEdits(allowed, live, written);',
      after: '{ ...respectEdits({}, live, written), changes: allowed };',
    },
  ]),
  ...inFile('src/sync/deliver/upload-files.ts', [
    {
      name: 'upload-forgotten',
      rule: 'A file is uploaded once per content and attribute',
      before: 'await ledger.files.addUpload(key, src);',
      after: 'false;',
    },
    {
      name: 'file-uploaded-by-each-record',
      rule: 'Deliveries that need the same file at the same time share one upload',
      before: 'if (underWay) return { ...(await underWay), uploaded: false };',
      after: '',
    },
  ]),
  ...inFile('src/sync/match/newcomers.ts', [
    {
      name: 'created-without-looking-for-an-item',
      rule: 'After a loss of the ledger, items are found again instead of created again',
      before: 'return { areMarked, isFirst };',
      after: 'return { areMarked: false, isFirst: false };',
    },
  ]),
  ...inFile('src/sync/match/find-created-item.ts', [
    {
      name: 'sent-payload-forgotten',
      rule: 'An item is looked up by what an earlier create may have sent',
      before: '[desired, ...unconfirmed]',
      after: '[desired]',
    },
  ]),
  ...inFile('src/sync/search/shared-readings.ts', [
    {
      name: 'older-reading-shared',
      rule: 'A search needs a list that was read after the last create of the record',
      before: 'known && known.beganAt >= since ? known.result : undefined',
      after: 'known?.result',
    },
  ]),
  ...inFile('src/sync/search/cms-search.ts', [
    {
      name: 'searched-on-one-day-only',
      rule: 'An item is looked for on all days that its creates may have had',
      before: 'const spans = new Map(payloads.map(',
      after: 'const spans = new Map(payloads.slice(0, 1).map(',
    },
  ]),
  ...inFile('src/sync/items/external-id.ts', [
    {
      name: 'external-id-not-sent',
      rule: 'A created item carries the external id of its record',
      before: 'return target.externalId ? { [target.externalId]: externalIdOf(record) } : {};',
      after: 'return {};',
    },
  ]),
  ...inFile('src/sync/compare/authority.ts', [
    {
      name: 'edits-overwritten',
      rule: 'An attribute that editors own keeps their value',
      before: "if (authority[attribute] !== 'editor' || isOurs) check",
      after: 'if (true) check',
    },
    {
      name: 'overruled-value-forgotten',
      rule: 'What an editor has overruled is not sent again',
      before: '{ written: kept } : { written, overruled: value, kept }',
      after: '{ written: kept } : { written: kept }',
    },
    {
      name: 'unconfirmed-update-taken-for-an-edit',
      rule: 'What an unconfirmed update of ours may have written is no edit',
      before: 'unconfirmed.flatMap((payload) => payload[attribute] ?? [])',
      after: '[] as Json[]',
    },
    {
      name: 'live-item-not-read',
      rule: 'The live item is read before an attribute that editors own is sent',
      before: "return Object.keys(changes).some((attribute) => authority[attribute] === 'editor');",
      after: 'return false;',
    },
  ]),
  ...inFile('src/sync/compare/decide.ts', [
    {
      name: 'deleted-record-planned-again',
      rule: 'What editors have deleted stays deleted',
      before: "if (known?.deleted && !createsAgain(sync)) return { op: 'skipped' };",
      after: '',
    },
  ]),
  ...inFile('src/sync/plan/missing-records.ts', [
    {
      name: 'policy-keep-deletes',
      rule: 'With the policy "keep", nothing is deleted',
      before: "if (missing.policy === 'keep') return undefined;",
      after: "if (missing.policy === 'keep') return { op: 'delete', after: { runs: 1 } };",
    },
  ]),
  ...inFile('src/sync/plan/read-and-stage.ts', [
    {
      name: 'absence-taken-from-a-partial-reading',
      rule: 'Only a reading of the whole source proves that a record is missing',
      before: '(receipt.complete && doubt === undefined',
      after: '(doubt === undefined',
    },
  ]),
  ...inFile('src/sync/plan/guards.ts', [
    {
      name: 'threshold-off-by-one',
      rule: 'A run that would delete more than the limit is held for approval',
      before: 'const removed = removals + removedBefore;',
      after: 'const removed = removals + removedBefore - 1;',
    },
    {
      name: 'empty-source-not-held',
      rule: 'A run is held if its source has no records, but some were delivered before',
      before: 'if (counts.read > 0 || deliveredBefore === 0) return undefined;',
      after: 'return undefined;',
    },
    {
      name: 'removals-not-guarded',
      rule: 'A run that would delete more than the limit is held for approval',
      before: "if (rule.policy === 'keep' || removals === 0) return undefined;",
      after: 'return undefined;',
    },
  ]),
  ...inFile('src/sync/runs/sync-run.ts', [
    {
      name: 'held-plan-applied',
      rule: 'A plan that is held changes nothing',
      before: 'if (hold) return holdPlan(run, isBackfill ? { error: hold.error } : hold, plan, context);',
      after: '',
    },
  ]),
  ...inFile('src/sync/runs/apply-plan.ts', [
    {
      name: 'lost-jobs-not-queued-again',
      rule: 'The queue may lose jobs: they are queued again from the ledger',
      before: 'lastChange = runtime.now();\n      await enqueueAgain();',
      after: 'lastChange = runtime.now();',
    },
  ]),
  ...inFile('src/sync/runs/lead-run.ts', [
    {
      name: 'run-lease-not-renewed',
      rule: 'A run keeps its lease while its process works',
      before: 'const HEARTBEATS_PER_LEASE = 4;',
      after: 'const HEARTBEATS_PER_LEASE = 0.001;',
    },
  ]),
];
