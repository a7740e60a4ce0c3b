import type { ErrorCode } from '../../core/errors.ts';
import type { Payload } from '../../core/record.ts';
import type { Sent } from '../attempts/deliveries.ts';
import type { EditorState } from '../database/item-state.ts';
import type { Incomplete } from '../database/undelivered-files.ts';

/** Result of delivering a claimed record. */
export type DeliveryResult = {
  /** The request that wrote the record, even if it failed; absent: no request was sent. */
  sent?: Sent;
  /** Number of files that were uploaded for the record. */
  uploads?: number;
} & (
  | {
      is: 'created' | 'updated' | 'unchanged';
      cmsId: number;
      delivered: Payload;
      deliveredAttachments: Record<string, string>;
      /** Values that the CMS made of those sent, as far as they differ; absent: nothing was sent. */
      madeByCms?: Payload;
      editorState?: EditorState;
      /** Of a marked item: the values that the mark has replaced. */
      attributesBeforeMark?: Payload | null;
      /** The files that could not be read or uploaded, and are tried again; absent: none. */
      incomplete?: Incomplete;
      /** How long lists of the CMS may lack an item that was just created, in ms. */
      unlistedMs?: number;
    }
  /** The CMS no longer has the item, as desired. */
  | { is: 'removed' }
  /**
   * The item was deleted in the CMS. `recreate`: create it again in this run, unless a look-up finds it under another id;
   * otherwise it is skipped from now on.
   */
  | ({ is: 'deleted'; recreate: boolean } & Reason)
  | ({ is: 'retry'; afterMs: number } & Undelivered)
  /** The record did not have its turn. This does not count as an attempt. */
  | ({ is: 'postponed'; afterMs: number } & Undelivered)
  /** The CMS accepts no requests until its configuration is fixed. This does not count as an attempt either. */
  | ({ is: 'stopped' } & Undelivered)
  | ({
      is: 'failed' | 'held';
      /** The item is not looked up earlier, even if the record is retried manually. */
      afterMs?: number;
      /** Hash of the content that the CMS refused for good (see `refusalHash`). */
      refused?: string;
      /** Key of the record whose item has a value that the CMS takes once only. */
      refusedBy?: string;
    } & Undelivered)
);

interface Reason {
  code: ErrorCode;
  reason: string;
}

interface Undelivered extends Reason {
  /** Whether the CMS may have applied the request; `refused`: it answered a create with an error. Absent: it has not. */
  doubt?: 'sent' | 'refused';
  /** It was proven that earlier creates have left no item. */
  isAbsent?: boolean;
}
