import type { RemoteFiles } from '../core/attachment.ts';
import { type AdoptionStore, createAdoptionStore } from './adoptions.ts';
import { type AlertStore, createAlertStore } from './alerts.ts';
import { type BackfillWork, createBackfillWork } from './backfill-work.ts';
import { type BackfillStore, createBackfillStore } from './backfills.ts';
import { type BeforeImageStore, createBeforeImageStore } from './before-images.ts';
import { type ClaimStore, createClaimStore } from './claims.ts';
import { createDestinationStore, type DestinationStore } from './destinations.ts';
import { createFeedStore, type FeedStore } from './feeds.ts';
import { createHistoryStore, type HistoryStore } from './history.ts';
import { createHoldStore, type HoldStore } from './holds.ts';
import { createMissingStore, type MissingStore } from './missing.ts';
import { type LedgerOptions, openDatabase } from './open.ts';
import { createOwnershipStore, type OwnershipStore } from './ownership.ts';
import { createPastRunStore, type PastRunStore } from './past-runs.ts';
import { createPermitStore, type PermitStore } from './permits.ts';
import { createPurgeStore, type PurgeStore } from './purges.ts';
import { createRecordStore, type RecordStore } from './records.ts';
import { createRejectionStore, type RejectionStore } from './rejections.ts';
import { createRelinkStore, type RelinkStore } from './relinks.ts';
import { createRemoteFileStore } from './remote-files.ts';
import { createRetryStore, type RetryStore } from './retries.ts';
import { createRunChangeStore, type RunChangeStore } from './run-changes.ts';
import { createRunStore, type RunStore } from './runs.ts';
import { createStagingStore, type StagingStore } from './staging.ts';
import { createSweep, type Sweep } from './sweep.ts';
import { createTallyStore, type TallyStore } from './tallies.ts';
import { createUploadStore, type UploadStore } from './uploads.ts';

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
  readonly tallies: TallyStore;
  readonly records: RecordStore;
  readonly history: HistoryStore;
  readonly rejections: RejectionStore;
  readonly uploads: UploadStore;
  readonly destinations: DestinationStore;
  readonly permits: PermitStore;
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
    destinations: createDestinationStore(database),
    permits: createPermitStore(database),
    remoteFiles: createRemoteFileStore(database),
    alerts: createAlertStore(database),
    sweep: createSweep(database, engine),
    close: () => database.db.destroy(),
  };
}
