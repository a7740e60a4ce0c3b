import { createAcknowledgementStore } from './acknowledgements/acknowledgements.ts';
import { createAlertStore } from './alerts/alerts.ts';
import { createDeedStore } from './attempts/deeds.ts';
import { createHistoryStore } from './attempts/deliveries.ts';
import { createRunChangeStore } from './attempts/run-changes.ts';
import { type LedgerOptions, openDatabase } from './database/open.ts';
import { createRemoteFileStore, createUploadStore } from './files/known-files.ts';
import { createMemberDrafts, createSourceStores } from './members/drafts.ts';
import { createAdoptionStore } from './plans/adoptions.ts';
import { createRelinkStore } from './plans/changed-keys.ts';
import { createHoldStore } from './plans/held-plans.ts';
import { createLeavingStore } from './plans/leave-sources.ts';
import { createMissingStore } from './plans/missing-records.ts';
import { createOtherRecordStore } from './plans/other-records.ts';
import { createUpdateStore } from './plans/planned-updates.ts';
import { createPurgeStore } from './plans/purges.ts';
import { createRetryStore } from './plans/retries.ts';
import { createStagingStore } from './plans/staged-plan.ts';
import { createQuestionStore } from './questions/questions.ts';
import { createClaimStore } from './records/claims.ts';
import { createEventDayStore } from './records/event-days.ts';
import { createOwnershipStore } from './records/item-ownership.ts';
import { createSendingStore } from './records/opening.ts';
import { createOrphanStore } from './records/orphans.ts';
import { createRecordSearch } from './records/record-search.ts';
import { createRecordStore } from './records/record-state.ts';
import { createRenameStore } from './records/rename-sync.ts';
import { createSweep } from './retention/sweep.ts';
import { createCancelStore } from './runs/cancel-run.ts';
import { createFeedStore } from './runs/last-reading.ts';
import { createPauseStore } from './runs/pauses.ts';
import { createSchedulerStore, createTurnStore } from './runs/processes.ts';
import { createRejectionStore } from './runs/rejections.ts';
import { createPastRunStore } from './runs/run-list.ts';
import { createUndeliveredFileStore } from './runs/run-report.ts';
import { createRunTotals } from './runs/run-totals.ts';
import { createRunStore } from './runs/runs.ts';
import { createSessionStore, createVisitStore } from './sessions/sessions.ts';
import { createHabitStore } from './target/habits.ts';
import { createTargetStore } from './target/target-state.ts';
import { createVerificationStore } from './verifications/verifications.ts';
import { createVerifiedRecordStore } from './verifications/verified-records.ts';

/** The truth of feedferry: for every record, what is desired and what was delivered; also runs, rejections and files. */
export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/**
 * Opens the ledger: PostgreSQL if a URL is given, else SQLite in the data directory.
 * @throws CodedError FF_DATA_DIR (SQLite) or FF_LEDGER_UNAVAILABLE
 */
export async function openLedger(options: LedgerOptions) {
  const database = await openDatabase(options);
  const engine: 'sqlite' | 'postgresql' = options.databaseUrl ? 'postgresql' : 'sqlite';
  return {
    engine,
    takeOverAfterMs: database.takeOverAfterMs,
    /** Runs from begin to end, the list of past ones, their rejections and sums. */
    runs: {
      ...createRunStore(database),
      ...createPastRunStore(database),
      ...createFeedStore(database),
      ...createRejectionStore(database),
      ...createCancelStore(database),
      ...createRunTotals(database),
    },
    /** Staged plans, until they become the desired state. */
    plans: {
      ...createStagingStore(database),
      ...createMissingStore(database),
      ...createRelinkStore(database),
      ...createAdoptionStore(database),
      ...createOtherRecordStore(database),
      ...createHoldStore(database),
      ...createRetryStore(database),
      ...createUpdateStore(database),
      ...createPurgeStore(database),
      ...createLeavingStore(database),
    },
    /** Records: their state, and the claims of the workers that deliver them. */
    records: {
      ...createRecordStore(database),
      ...createRecordSearch(database),
      ...createClaimStore(database),
      ...createSendingStore(database),
      ...createOwnershipStore(database),
      ...createOrphanStore(database),
      ...createRenameStore(database),
      ...createEventDayStore(database),
      ...createUndeliveredFileStore(database),
    },
    /** Whether records are the same. */
    questions: createQuestionStore(database),
    history: { ...createHistoryStore(database), ...createRunChangeStore(database), ...createDeedStore(database) },
    ...createSourceStores(database),
    ...createMemberDrafts(database),
    pauses: createPauseStore(database),
    schedulers: createSchedulerStore(database),
    turns: createTurnStore(database),
    /** Uploaded files, and files on other machines. */
    files: { ...createUploadStore(database), ...createRemoteFileStore(database) },
    verifications: { ...createVerificationStore(database), ...createVerifiedRecordStore(database) },
    targets: createTargetStore(database),
    /** What the CMS is known to do with attributes that it is sent. */
    habits: createHabitStore(database),
    alerts: createAlertStore(database),
    sessions: createSessionStore(database),
    visits: createVisitStore(database),
    /** Problems that a person knows of and leaves as they are. */
    acknowledgements: createAcknowledgementStore(database),
    retention: createSweep(database, engine),
    close: () => database.db.destroy(),
  };
}
