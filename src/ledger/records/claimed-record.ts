import type { Attachment, Payload, Resource } from '../../core/record.ts';
import type { RecordAction } from '../database/schema.ts';
import type { EditorState } from './editor-state.ts';

/** An attachment with the fingerprint that shows whether it has changed. */
export interface StagedAttachment extends Attachment {
  /** Absent: the file could not be read when the plan was made. */
  fingerprint?: string;
}

/** A record that this process may act on until its lease ends. */
export interface ClaimedRecord {
  sync: string;
  key: string;
  /** The run that wants the change. */
  run: string;
  /** Fencing token: settling with an older one has no effect. */
  claim: string;
  /** Null: the item gets the content of the source. */
  action: RecordAction | null;
  resource: Resource;
  desired: Payload;
  attachments: StagedAttachment[];
  hash: string;
  delivered: Payload | null;
  deliveredAttachments: Record<string, string>;
  cmsId: number | null;
  /** The values that the CMS made of delivered ones, for attributes that it shows differently. */
  madeByCms: Payload;
  editorState: EditorState;
  /** Encrypted; only needed for the create. */
  password: string | null;
  attempts: number;
  /** An earlier claim may have sent a create that was not confirmed: its item is looked up before another create. */
  createUnconfirmed: boolean;
  /** Payloads that unconfirmed creates may have sent; null: the desired one. */
  unconfirmedPayloads: Payload[] | null;
  /** An earlier claim may have sent a delete that was not confirmed. */
  deleteUnconfirmed: boolean;
  /** Values that the attributes of the mark had before the item was marked; null: the item has no mark. */
  attributesBeforeMark: Payload | null;
  /** Values of the item before an unconfirmed change; null: no change is unconfirmed. */
  beforeImage: Payload | null;
  /** Hash that the item must have for the change; null: any. A create has one if an undo restores a deleted item. */
  expectedItemHash: string | null;
  /** From this moment on, no create of an earlier claim is under way (by the monotonic clock of this process). */
  quietSince: number;
  /**
   * The clock that decides `quietSince` may have been set: a create may have been sent until this moment. Absent: this process
   * has watched the ledger's clock since the last claim ended, and the clock was not set.
   */
  doubtedSince?: number;
}
