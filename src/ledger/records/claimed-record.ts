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
  /** Null: the item gets what the source has. */
  action: RecordAction | null;
  resource: Resource;
  desired: Payload;
  attachments: StagedAttachment[];
  hash: string;
  delivered: Payload | null;
  deliveredAttachments: Record<string, string>;
  cmsId: number | null;
  /** What the CMS made of delivered attributes that it does not show as they were sent. */
  madeByCms: Payload;
  editorState: EditorState;
  /** Encrypted; only for the create. */
  password: string | null;
  attempts: number;
  /** An earlier claim may have sent a create without a confirmed result: its item is looked up before another create. */
  createUnconfirmed: boolean;
  /** What such creates may have sent; null: what is desired now. */
  unconfirmedPayloads: Payload[] | null;
  /** An earlier claim may have sent a delete without a confirmed result. */
  deleteUnconfirmed: boolean;
  /** Values of the attributes of the mark before it was set; null: the item has no mark. */
  attributesBeforeMark: Payload | null;
  /** Values of the item before an unconfirmed change; null: there was none. */
  beforeImage: Payload | null;
  /** Hash that the item must have for the change to be made; null: any. A create has one if an undo wants back what was deleted. */
  expectedItemHash: string | null;
  /** From this moment on, no create of an earlier claim is under way (by the monotonic clock of this process). */
  quietSince: number;
  /**
   * The ledger's clock, which says so, may have been set: a create may have been sent until this moment. Absent: this process has
   * seen that the clock went on as it should since the last claim ended.
   */
  doubtedSince?: number;
}
