import { clean } from '../../core/clean.ts';
import type { Payload } from '../../core/record.ts';
import type { RecordsTable } from '../database/schema.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import type { DeliveryResult } from './delivery-result.ts';
import { unconfirmedWhenSettled } from './unconfirmed-creates.ts';

/** The columns of numbers in the row below. */
export const settledNumbers = [
  'upload_count',
  'attempts',
  'create_unconfirmed',
  'retry_after',
  'unmarked',
  'cms_id',
] as const;

type SettledColumns =
  | ('status' | 'outcome' | 'attempts' | 'refused_hash' | 'refused_by')
  | ('cms_id' | 'delivered' | 'delivered_attachments' | 'delivered_hash' | 'editor_state' | 'made_by_cms');

/** The columns that a result changes. */
type Changes = Partial<Pick<RecordsTable, SettledColumns>> & {
  /** In ms. */
  retry_after?: number | null;
  /** 1: the CMS refused the first mark of the item, so the item has none. */
  unmarked?: 0 | 1;
  /** `unchanged`: the known state of the item and the delivered content stay. */
  item?: 'delivered' | 'deleted' | 'unchanged';
};

/** Row for the statement that settles a record. */
export function toSettledRow(record: ClaimedRecord, result: DeliveryResult) {
  const { sync, key, claim, hash, action } = record;
  return {
    sync,
    key,
    claim_token: claim,
    hash,
    action,
    status: 'pending',
    outcome: null,
    upload_count: result.uploads ?? 0,
    attempts: 0,
    create_unconfirmed: 'createUnconfirmed' in result && result.createUnconfirmed ? 1 : 0,
    unconfirmed_payloads: unconfirmedWhenSettled(record, result),
    retry_after: null,
    error_code: 'code' in result ? result.code : null,
    error_reason: 'code' in result ? clean(result.reason) : null,
    refused_hash: null,
    refused_by: null,
    unmarked: 0,
    item: 'unchanged',
    cms_id: null,
    delivered: null,
    delivered_attachments: null,
    delivered_hash: null,
    editor_state: null,
    made_by_cms: null,
    ...changesOf(record, result),
  };
}

function changesOf({ action, hash, attributesBeforeMark, madeByCms }: ClaimedRecord, result: DeliveryResult): Changes {
  switch (result.is) {
    case 'created':
    case 'updated':
    case 'unchanged':
      return {
        status: 'delivered',
        outcome: result.is,
        item: 'delivered',
        cms_id: result.cmsId,
        delivered: JSON.stringify(result.delivered),
        delivered_attachments: JSON.stringify(result.deliveredAttachments),
        delivered_hash: result.incomplete ? null : hash,
        editor_state: result.editorState && JSON.stringify(result.editorState),
        made_by_cms: orNull(result.madeByCms ?? madeByCms),
      };
    case 'removed':
      return { status: 'removed', outcome: 'removed', item: 'deleted' };
    case 'deleted':
      return { item: 'deleted', ...(result.recreate ? {} : { status: 'deleted', outcome: 'skipped' }) };
    case 'stopped':
      return { retry_after: 0 };
    case 'retry':
    case 'postponed':
      return { attempts: result.is === 'retry' ? 1 : 0, retry_after: Math.round(result.afterMs) };
    case 'failed':
    case 'held':
      return {
        status: result.is,
        outcome: result.is,
        attempts: 1,
        retry_after: result.afterMs === undefined ? null : Math.round(result.afterMs),
        refused_hash: result.refused,
        refused_by: result.refusedBy,
        unmarked: result.refused !== undefined && action === 'mark' && attributesBeforeMark === null ? 1 : 0,
      };
  }
}

/** The CMS shows most items as they were sent. */
function orNull(made: Payload): string | null {
  return Object.keys(made).length > 0 ? JSON.stringify(made) : null;
}

/** The entry that a result adds to the record's history; none if the record did not have its turn. */
export function toHistory(record: ClaimedRecord, result: DeliveryResult) {
  if (result.is === 'postponed' || result.is === 'stopped') return [];
  const { sync, key, run } = record;
  const { is: outcome, uploads = 0, sent } = result;
  const cmsId = 'cmsId' in result ? result.cmsId : record.cmsId;
  const error = 'code' in result ? { code: result.code, reason: result.reason } : undefined;
  const item = cmsId === null ? {} : { cmsId };
  return [{ sync, key, run, outcome, uploads, ...(sent ? { sent } : {}), ...item, ...(error ? { error } : {}) }];
}
