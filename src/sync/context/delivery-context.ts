import type { LimitFunction } from 'p-limit';
import type { Logger } from 'pino';
import type { CallOptions, CmsClient } from '../../cms/client.ts';
import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import type { AttachmentReader } from '../../core/attachment.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { CmsHabits } from '../evidence/cms-habits.ts';
import type { PasswordCipher } from '../passwords/password-cipher.ts';
import type { CmsSearch } from '../search/cms-search.ts';

/** Settings and services of the deliveries of one sync. Steps declare which of them they use. */
export interface DeliveryContext {
  sync: SyncConfig;
  target: TargetConfig;
  /** The attributes that the sync maps; absent: a function maps. */
  mapped?: ReadonlySet<string> | undefined;
  /** Identifies the site (and calendar instance) in the ledger. */
  targetId: string;
  /** Hash of the config that decides how a record is sent. */
  configHash: string;
  /** Whether an item is read and kept before it is changed or deleted, so that the change can be undone. */
  keepsBefore: boolean;
  /** Time for requests in flight to end when the process stops, in ms. */
  stopAfterMs: number;
  runtime: Runtime;
  ledger: Ledger;
  cms: CmsClient;
  search: CmsSearch;
  /** What the CMS is known to do with the attributes that it is sent. */
  habits: CmsHabits;
  attachments: AttachmentReader;
  passwordCipher: PasswordCipher;
  /** Runs the deliveries of all jobs in the order of their claims. Some records wait at the gate, ready to be sent. */
  lanes: LimitFunction;
  /** Files that are being uploaded, by target, attribute, and address or content. */
  uploading: Map<string, Promise<UploadedFile>>;
  log: Logger;
  /** The highest id that the CMS has shown before the creates of the run; absent: unknown. */
  newestId?: number | undefined;
  /** The records that are delivered together, in their order, and how many batches follow: they share the lists that show their items. */
  batch?: { records: readonly ClaimedRecord[]; following: number };
  /** Options of every request that is sent under a claim. */
  call?: ClaimedCall;
}

/** Options of requests that are sent under a claim. Their `signal` ends those under way, a while after `stopping`. */
export interface ClaimedCall extends CallOptions {
  /** Aborted when the process stops: nothing new begins, not even a wait. */
  stopping?: AbortSignal;
  /** Waits until all records of the batch have sent what they send: they share the lists that are read from then on. */
  othersSent?(): Promise<void>;
}

/** A file that the CMS has. */
export interface UploadedFile {
  src: string;
  fingerprint: string;
  /** False: the CMS had it already, or another delivery has uploaded it. */
  uploaded: boolean;
}
