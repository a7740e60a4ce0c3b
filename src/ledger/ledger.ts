import { createAlertStore } from './alerts/alerts.ts';
import { createBackfillWork } from './backfills/backfill-work.ts';
import { createBackfillStore } from './backfills/backfills.ts';
import { type LedgerOptions, openDatabase } from './database/open.ts';
import { createRemoteFileStore } from './files/remote-files.ts';
import { createUploadStore } from './files/uploads.ts';
import { createHistoryStore } from './history/deliveries.ts';
import { createRunChangeStore } from './history/run-changes.ts';
import { createAdoptionStore } from './plans/adoptions.ts';
import { createRelinkStore } from './plans/changed-keys.ts';
import { createHoldStore } from './plans/held-plans.ts';
import { createMissingStore } from './plans/missing-records.ts';
import { createPurgeStore } from './plans/purges.ts';
import { createRetryStore } from './plans/retries.ts';
import { createStagingStore } from './plans/staged-plan.ts';
import { createBeforeImageStore } from './records/before-images.ts';
import { createClaimStore } from './records/claims.ts';
import { createOwnershipStore } from './records/item-ownership.ts';
import { createRecordStore } from './records/record-state.ts';
import { createSweep } from './retention/sweep.ts';
import { createFeedStore } from './runs/last-reading.ts';
import { createRejectionStore } from './runs/rejections.ts';
import { createPastRunStore } from './runs/run-list.ts';
import { createRunTotals } from './runs/run-totals.ts';
import { createRunStore } from './runs/runs.ts';
import { createTargetStore } from './target/target-state.ts';

/** What is desired and what was delivered, of every record; runs, rejections, uploads. The truth of feedferry. */
export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/**
 * Opens the ledger: PostgreSQL where a URL is given, else SQLite in the data directory.
 * @throws CodedError FF_DATA_DIR (SQLite) or FF_LEDGER_UNAVAILABLE
 */
export async function openLedger(options: LedgerOptions) {
  const database = await openDatabase(options);
  const engine = options.databaseUrl ? ('postgresql' as const) : ('sqlite' as const);
  return {
    engine,
    runs: createRunStore(database),
    feeds: createFeedStore(database),
    staging: createStagingStore(database),
    missing: createMissingStore(database),
    holds: createHoldStore(database),
    relinks: createRelinkStore(database),
    adoptions: createAdoptionStore(database),
    retries: createRetryStore(database),
    backfills: createBackfillStore(database),
    backfillWork: createBackfillWork(database),
    runChanges: createRunChangeStore(database),
    purges: createPurgeStore(database),
    claims: createClaimStore(database),
    beforeImages: createBeforeImageStore(database),
    ownership: createOwnershipStore(database),
    pastRuns: createPastRunStore(database),
    runTotals: createRunTotals(database),
    records: createRecordStore(database),
    history: createHistoryStore(database),
    rejections: createRejectionStore(database),
    uploads: createUploadStore(database),
    targets: createTargetStore(database),
    remoteFiles: createRemoteFileStore(database),
    alerts: createAlertStore(database),
    sweep: createSweep(database, engine),
    close: (): Promise<void> => database.db.destroy(),
  };
}
