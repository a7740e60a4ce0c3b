import type { Attachment, Payload, Resource } from '../../core/record.ts';
import type { RecordAction } from '../database/schema.ts';
import type { EditorState } from './editor-state.ts';

/** An attachment as staged: with the fingerprint that tells whether it changed. */
export interface StagedAttachment extends Attachment {
  /** Absent: the file could not be read when the plan was made. */
  fingerprint?: string;
}

/** A record that this process may act on until its lease lapses. */
export interface ClaimedRecord {
  sync: string;
  key: string;
  /** The run that wants the change. */
  run: string;
  /** Fencing token: settling with an older one has no effect. */
  claim: string;
  /** Null: the item is brought to what the source has. */
  action: RecordAction | null;
  resource: Resource;
  desired: Payload;
  attachments: StagedAttachment[];
  hash: string;
  delivered: Payload | null;
  deliveredAttachments: Record<string, string>;
  cmsId: number | null;
  editorState: EditorState;
  /** Encrypted; for the create alone. */
  password: string | null;
  attempts: number;
  /** An earlier claim may have sent a create that nobody settled: look it up before another. */
  createUnconfirmed: boolean;
  /** What such creates may have carried; null: what is desired. */
  unconfirmedPayloads: Payload[] | null;
  /** An earlier claim may have sent a delete that nobody settled. */
  deleteUnconfirmed: boolean;
  /** What attributes were before they were marked; null: the item bears no mark. */
  attributesBeforeMark: Payload | null;
  /** What the item was before a change that nobody settled; null: there was none. */
  beforeImage: Payload | null;
  /** Hash of the item as it must be for the change to be made; null: it does not matter. */
  expectedItemHash: string | null;
  /** Since then no create of an earlier claim is under way any more; `performance.now()` of this process. */
  quietSince: number;
}
