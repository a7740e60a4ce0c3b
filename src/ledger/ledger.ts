import type { RemoteFiles } from '../core/attachment.ts';
import { type AlertStore, createAlertStore } from './alerts/alerts.ts';
import { type BackfillWork, createBackfillWork } from './backfills/backfill-work.ts';
import { type BackfillStore, createBackfillStore } from './backfills/backfills.ts';
import { type LedgerOptions, openDatabase } from './database/open.ts';
import { createRemoteFileStore } from './files/remote-files.ts';
import { createUploadStore, type UploadStore } from './files/uploads.ts';
import { createHistoryStore, type HistoryStore } from './history/deliveries.ts';
import { createRunChangeStore, type RunChangeStore } from './history/run-changes.ts';
import { type AdoptionStore, createAdoptionStore } from './plans/adoptions.ts';
import { createRelinkStore, type RelinkStore } from './plans/changed-keys.ts';
import { createHoldStore, type HoldStore } from './plans/held-plans.ts';
import { createMissingStore, type MissingStore } from './plans/missing-records.ts';
import { createPurgeStore, type PurgeStore } from './plans/purges.ts';
import { createRetryStore, type RetryStore } from './plans/retries.ts';
import { createStagingStore, type StagingStore } from './plans/staged-plan.ts';
import { type BeforeImageStore, createBeforeImageStore } from './records/before-images.ts';
import { type ClaimStore, createClaimStore } from './records/claims.ts';
import { createOwnershipStore, type OwnershipStore } from './records/item-ownership.ts';
import { createRecordStore, type RecordStore } from './records/record-state.ts';
import { createSweep, type Sweep } from './retention/sweep.ts';
import { createFeedStore, type FeedStore } from './runs/last-reading.ts';
import { createRejectionStore, type RejectionStore } from './runs/rejections.ts';
import { createPastRunStore, type PastRunStore } from './runs/run-list.ts';
import { createTallyStore, type RunTotalsStore } from './runs/run-totals.ts';
import { createRunStore, type RunStore } from './runs/runs.ts';
import { createTargetStore, type TargetStore } from './target/target-state.ts';

/** What is desired and what was delivered, of every record; runs, rejections, uploads. The truth of feedferry. */
export interface Ledger {
  readonly engine: 'sqlite' | 'postgresql';
  readonly runs: RunStore;
  readonly feeds: FeedStore;
  readonly staging: StagingStore;
  readonly missing: MissingStore;
  readonly holds: HoldStore;
  readonly relinks: RelinkStore;
  readonly adoptions: AdoptionStore;
  readonly retries: RetryStore;
  readonly backfills: BackfillStore;
  readonly backfillWork: BackfillWork;
  readonly runChanges: RunChangeStore;
  readonly purges: PurgeStore;
  readonly claims: ClaimStore;
  readonly beforeImages: BeforeImageStore;
  readonly ownership: OwnershipStore;
  readonly pastRuns: PastRunStore;
  readonly tallies: RunTotalsStore;
  readonly records: RecordStore;
  readonly history: HistoryStore;
  readonly rejections: RejectionStore;
  readonly uploads: UploadStore;
  readonly targets: TargetStore;
  readonly remoteFiles: RemoteFiles;
  readonly alerts: AlertStore;
  readonly sweep: Sweep;
  close(): Promise<void>;
}

/**
 * Opens the ledger: PostgreSQL where a URL is given, else SQLite in the data directory.
 * @throws CodedError FF_DATA_DIR (SQLite) or FF_LEDGER_UNAVAILABLE
 */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const database = await openDatabase(options);
  const engine = options.databaseUrl ? 'postgresql' : 'sqlite';
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
    tallies: createTallyStore(database),
    records: createRecordStore(database),
    history: createHistoryStore(database),
    rejections: createRejectionStore(database),
    uploads: createUploadStore(database),
    targets: createTargetStore(database),
    remoteFiles: createRemoteFileStore(database),
    alerts: createAlertStore(database),
    sweep: createSweep(database, engine),
    close: () => database.db.destroy(),
  };
}
