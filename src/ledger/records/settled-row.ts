import { clean } from '../../core/clean.ts';
import type { Payload } from '../../core/record.ts';
import type { Knowledge, RecordAction, RecordsTable } from '../database/schema.ts';
import type { Incomplete } from '../database/undelivered-files.ts';
import { type ClaimedRecord, type Goal, itemOf } from './claimed-record.ts';
import type { DeliveryResult } from './delivery-result.ts';

/** The columns of numbers in the row below. */
export const settledNumbers = [
  'record',
  'upload_count',
  'attempts',
  'retry_after',
  'unmarked',
  'cms_id',
  'files_retry_after',
] as const;

type SettledColumns =
  | ('status' | 'outcome' | 'attempts' | 'refused_hash' | 'refused_by')
  | ('cms_id' | 'delivered' | 'delivered_attachments' | 'delivered_hash' | 'editor_state' | 'made_by_cms')
  | 'undelivered_files';

/** The columns that a result changes. */
type Changes = Partial<Pick<RecordsTable, SettledColumns>> & {
  /** In ms. */
  retry_after?: number | null;
  /** In ms; null: the next run tries again. */
  files_retry_after?: number | null;
  /** 1: the CMS refused the first mark of the item, so the item has none. */
  unmarked?: 0 | 1;
  /** `unchanged`: the known state of the item and the delivered content stay. */
  item?: 'delivered' | 'deleted' | 'unchanged';
  /** Absent: it depends on the attempts. */
  knows?: Knowledge;
};

export type SettledRow = ReturnType<typeof toSettledRow>;

/** Row for the statement that settles a record. */
export function toSettledRow(record: ClaimedRecord, result: DeliveryResult) {
  const { id, claim, hash, goal } = record;
  return {
    record: id,
    claim_token: claim,
    hash,
    action: actionOf(goal),
    status: 'pending',
    outcome: null,
    upload_count: result.uploads ?? 0,
    attempts: 0,
    retry_after: null,
    error_code: 'code' in result ? result.code : null,
    error_reason: 'code' in result ? clean(result.reason) : null,
    refused_hash: null,
    refused_by: null,
    unmarked: 0,
    item: 'unchanged',
    knows: null,
    cms_id: null,
    delivered: null,
    delivered_attachments: null,
    delivered_hash: null,
    editor_state: null,
    made_by_cms: null,
    undelivered_files: null,
    files_retry_after: null,
    ...changesOf(record, result),
  };
}

/** The goal as the column `action` has it. */
function actionOf(goal: Goal): RecordAction | null {
  if (goal.is === 'gone') return 'delete';
  return goal.is === 'exactly' ? goal.as : null;
}

function changesOf(record: ClaimedRecord, result: DeliveryResult): Changes {
  const item = itemOf(record);
  switch (result.is) {
    case 'created':
    case 'updated':
    case 'unchanged':
      return {
        status: 'delivered',
        outcome: result.is,
        item: 'delivered',
        knows: 'known',
        cms_id: result.cmsId,
        delivered: JSON.stringify(result.delivered),
        delivered_attachments: JSON.stringify(result.deliveredAttachments),
        delivered_hash: result.incomplete ? null : record.hash,
        editor_state: result.editorState && JSON.stringify(result.editorState),
        made_by_cms: orNull(result.madeByCms ?? item?.madeByCms ?? {}),
        ...(result.incomplete ? fileColumns(result.incomplete) : {}),
      };
    case 'removed':
      return { status: 'removed', outcome: 'removed', item: 'deleted', knows: 'none' };
    case 'deleted':
      if (result.recreate) return { item: 'deleted', knows: 'maybe' };
      return { status: 'deleted', outcome: 'skipped', item: 'deleted', knows: 'none' };
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
        unmarked: result.sent && !result.doubt && isFirstMark(record) ? 1 : 0,
      };
  }
}

function fileColumns({ files, retryAfterMs }: Incomplete): Changes {
  const cleaned = Object.entries(files).map(([attribute, file]) => [
    attribute,
    { ...file, reason: clean(file.reason) },
  ]);
  return {
    undelivered_files: JSON.stringify(Object.fromEntries(cleaned)),
    files_retry_after: retryAfterMs > 0 ? Math.round(retryAfterMs) : null,
  };
}

/** Whether a refusal means that the item has no mark. An earlier mark without an answer may have been applied. */
function isFirstMark(record: ClaimedRecord): boolean {
  const isMark = record.goal.is === 'exactly' && record.goal.as === 'mark';
  return isMark && 'item' in record && record.item.attributesBeforeMark === null && record.open.length === 0;
}

/** The CMS shows most items as they were sent. */
function orNull(made: Payload): string | null {
  return Object.keys(made).length > 0 ? JSON.stringify(made) : null;
}
