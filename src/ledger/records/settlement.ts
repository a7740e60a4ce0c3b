import type { ErrorCode } from '../../core/errors.ts';
import type { Payload } from '../../core/record.ts';
import type { EditorState } from './editor-state.ts';

/** What became of a claimed record. */
export type Settlement =
  | {
      is: 'created' | 'updated' | 'unchanged';
      cmsId: number;
      delivered: Payload;
      deliveredAttachments: Record<string, string>;
      /** Absent: no editor's word counts in it. */
      editorState?: EditorState;
      /** Something desired is not there yet (an unreadable file): the next plan holds the record again. */
      incomplete: boolean;
      uploads: number;
    }
  /** The CMS has its item no more, as wanted. */
  | { is: 'removed'; uploads: number }
  | { is: 'retry'; code: ErrorCode; reason: string; afterMs: number; createUnconfirmed: boolean; uploads: number }
  /** It never had its turn: that is no attempt. */
  | { is: 'postponed'; code: ErrorCode; reason: string; afterMs: number; createUnconfirmed: boolean; uploads: number }
  | {
      is: 'failed' | 'held';
      code: ErrorCode;
      reason: string;
      createUnconfirmed: boolean;
      uploads: number;
      /** Before that it is not looked for, whoever tries it again. */
      afterMs?: number;
      /** The CMS will not have this, however often: what of (see `refusalHash`). */
      refused?: string;
    }
  /** The item was deleted in the CMS. Left so, it is skipped from now on; else it is created anew, in the same run. */
  | { is: 'deleted'; recreate: boolean; code: ErrorCode; reason: string; uploads: number };

export type DeliveredSettlement = Extract<Settlement, { cmsId: number }>;
export type UndeliveredSettlement = Extract<Settlement, { code: ErrorCode }>;

/** Whether the CMS has what was desired. */
export function isDelivered(settlement: Settlement): settlement is DeliveredSettlement {
  return 'cmsId' in settlement;
}
