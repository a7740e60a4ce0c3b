import { type AdoptionStore, createAdoptionStore } from './adoptions.ts';
import { type ClaimStore, createClaimStore } from './claims.ts';
import { createFeedStore, type FeedStore } from './feeds.ts';
import { createHistoryStore, type HistoryStore } from './history.ts';
import { type LedgerOptions, openDatabase } from './open.ts';
import { createPaceStore, type PaceStore } from './pace.ts';
import { createPastRunStore, type PastRunStore } from './past-runs.ts';
import { createRecordStore, type RecordStore } from './records.ts';
import { createRejectionStore, type RejectionStore } from './rejections.ts';
import { createRelinkStore, type RelinkStore } from './relinks.ts';
import { createRetryStore, type RetryStore } from './retries.ts';
import { createRunStore, type RunStore } from './runs.ts';
import { createStagingStore, type StagingStore } from './staging.ts';
import { createUploadStore, type UploadStore } from './uploads.ts';

/** What is desired and what was delivered, of every record; runs, rejections, uploads. The truth of feedferry. */
export interface Ledger {
  readonly engine: 'sqlite' | 'postgresql';
  readonly runs: RunStore;
  readonly feeds: FeedStore;
  readonly staging: StagingStore;
  readonly relinks: RelinkStore;
  readonly adoptions: AdoptionStore;
  readonly retries: RetryStore;
  readonly claims: ClaimStore;
  readonly pastRuns: PastRunStore;
  readonly records: RecordStore;
  readonly history: HistoryStore;
  readonly rejections: RejectionStore;
  readonly uploads: UploadStore;
  readonly pace: PaceStore;
  close(): Promise<void>;
}

/**
 * Opens the ledger: PostgreSQL where a URL is given, else SQLite in the data directory.
 * @throws CodedError FF_DATA_DIR (SQLite) or FF_LEDGER_UNAVAILABLE
 */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const database = await openDatabase(options);
  return {
    engine: options.databaseUrl ? 'postgresql' : 'sqlite',
    runs: createRunStore(database),
    feeds: createFeedStore(database),
    staging: createStagingStore(database),
    relinks: createRelinkStore(database),
    adoptions: createAdoptionStore(database),
    retries: createRetryStore(database),
    claims: createClaimStore(database),
    pastRuns: createPastRunStore(database),
    records: createRecordStore(database),
    history: createHistoryStore(database),
    rejections: createRejectionStore(database),
    uploads: createUploadStore(database),
    pace: createPaceStore(database),
    close: () => database.db.destroy(),
  };
}
