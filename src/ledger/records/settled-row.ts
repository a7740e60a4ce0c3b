import { clean } from '../../core/clean.ts';
import type { RecordStatus, SettledOutcome } from '../database/schema.ts';
import type { Sent } from '../history/deliveries.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import { type DeliveredSettlement, isDelivered, type Settlement, type UndeliveredSettlement } from './settlement.ts';
import { unconfirmedWhenSettled } from './unconfirmed-creates.ts';

/** One settlement, as a statement takes it. */
export interface SettledRow {
  sync: string;
  key: string;
  claim_token: string;
  hash: string;
  action: string | null;
  status: RecordStatus;
  outcome: SettledOutcome | null;
  upload_count: number;
  attempts: number;
  create_unconfirmed: number;
  unconfirmed_payloads: string | null;
  retry_after: number | null;
  error_code: string | null;
  error_reason: string | null;
  refused_hash: string | null;
  /** 1: the first mark of it was refused, so that it bears none. */
  unmarked: number;
  /** What the CMS has of it: `new` as told here, `gone`, or as known before. */
  cms: 'new' | 'gone' | 'known';
  cms_id: number | null;
  delivered: string | null;
  delivered_attachments: string | null;
  delivered_hash: string | null;
  editor_state: string | null;
}

/** The columns of a settled row and their types. */
export const settledColumns = {
  sync: 'text',
  key: 'text',
  claim_token: 'text',
  hash: 'text',
  action: 'text',
  status: 'text',
  outcome: 'text',
  upload_count: 'bigint',
  attempts: 'bigint',
  create_unconfirmed: 'bigint',
  unconfirmed_payloads: 'text',
  retry_after: 'bigint',
  error_code: 'text',
  error_reason: 'text',
  refused_hash: 'text',
  unmarked: 'bigint',
  cms: 'text',
  cms_id: 'bigint',
  delivered: 'text',
  delivered_attachments: 'text',
  delivered_hash: 'text',
  editor_state: 'text',
} as const satisfies Record<keyof SettledRow, 'text' | 'bigint'>;
/** What a settlement changes of the record's row. */
export function toSettledRow(record: ClaimedRecord, settlement: Settlement, sent?: Sent): SettledRow {
  const { sync, key, claim, hash, action } = record;
  const row = {
    ...UNTOUCHED,
    ...{ sync, key, claim_token: claim, hash, action },
    upload_count: settlement.uploads,
    unconfirmed_payloads: unconfirmedWhenSettled(record, settlement, sent),
  };
  if (isDelivered(settlement)) return { ...row, ...deliveredColumns(record, settlement) };
  if (settlement.is === 'removed') return { ...row, status: 'removed', outcome: 'removed', cms: 'gone' };
  return {
    ...row,
    error_code: settlement.code,
    error_reason: clean(settlement.reason),
    ...undeliveredColumns(record, settlement),
  };
}

export const UNTOUCHED = {
  status: 'pending',
  outcome: null,
  attempts: 0,
  create_unconfirmed: 0,
  retry_after: null,
  error_code: null,
  error_reason: null,
  refused_hash: null,
  unmarked: 0,
  cms: 'known',
  cms_id: null,
  delivered: null,
  delivered_attachments: null,
  delivered_hash: null,
  editor_state: null,
} as const satisfies Partial<SettledRow>;
export function deliveredColumns({ hash }: ClaimedRecord, settlement: DeliveredSettlement): Partial<SettledRow> {
  const { is, cmsId, delivered, deliveredAttachments, editorState, incomplete } = settlement;
  return {
    status: 'delivered',
    outcome: is,
    cms: 'new',
    cms_id: cmsId,
    delivered: JSON.stringify(delivered),
    delivered_attachments: JSON.stringify(deliveredAttachments),
    delivered_hash: incomplete ? null : hash,
    editor_state: editorState ? JSON.stringify(editorState) : null,
  };
}

export function undeliveredColumns(
  { action, attributesBeforeMark }: ClaimedRecord,
  settlement: UndeliveredSettlement,
): Partial<SettledRow> {
  switch (settlement.is) {
    case 'retry':
    case 'postponed':
      return {
        attempts: settlement.is === 'retry' ? 1 : 0,
        create_unconfirmed: settlement.createUnconfirmed ? 1 : 0,
        retry_after: Math.round(settlement.afterMs),
      };
    case 'failed':
    case 'held':
      return {
        status: settlement.is,
        outcome: settlement.is,
        attempts: 1,
        create_unconfirmed: settlement.createUnconfirmed ? 1 : 0,
        retry_after: settlement.afterMs === undefined ? null : Math.round(settlement.afterMs),
        refused_hash: settlement.refused ?? null,
        unmarked: settlement.refused !== undefined && action === 'mark' && attributesBeforeMark === null ? 1 : 0,
      };
    case 'deleted':
      return { cms: 'gone', ...(settlement.recreate ? {} : { status: 'deleted', outcome: 'skipped' }) };
  }
}
