import type { Logger } from 'pino';
import type { CmsClient } from '../../cms/client.ts';
import type { CallOptions } from '../../cms/resource.ts';
import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import type { AttachmentReader } from '../../core/attachment.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PasswordCipher } from '../passwords/password-cipher.ts';
import type { CmsSearch } from '../search/cms-search.ts';

/** A file that the CMS has. */
export interface BroughtFile {
  src: string;
  fingerprint: string;
  /** It was uploaded just now, for the one who asked for it. */
  uploaded: boolean;
}

/** What it takes to deliver the records of one sync. */
export interface DeliveryContext {
  sync: SyncConfig;
  target: TargetConfig;
  /** Names the site (and calendar instance) in the ledger's uploads. */
  targetId: string;
  /** Hash of the config that decides how a record is sent. */
  configHash: string;
  ledger: Ledger;
  cms: CmsClient;
  /** Shared by all deliveries of this process. */
  search: CmsSearch;
  attachments: AttachmentReader;
  passwordCipher: PasswordCipher;
  /** Files that this process is bringing to the CMS, by target, attribute, and address or content. */
  uploading: Map<string, Promise<BroughtFile>>;
  /** What is changed or deleted is read and kept first, so that it can be undone. */
  keepsBefore: boolean;
  log: Logger;
  /** How long what is in flight may take to end once the process is to stop, in ms. */
  stopAfterMs: number;
  /** Goes with every request that a claim entitles to. */
  call?: CallOptions;
}
