import { clean } from '../../core/clean.ts';
import { itemColumn } from '../database/item-state.ts';
import { errorColumn } from '../database/record-error.ts';
import type { Knowledge, RecordsTable } from '../database/schema.ts';
import { filesColumn, type Incomplete } from '../database/undelivered-files.ts';
import { type ClaimedRecord, itemColumnOf, itemOf } from './claimed-record.ts';
import type { DeliveryResult } from './delivery-result.ts';

/** The columns of numbers in the row below. */
export const settledNumbers = ['record', 'wanted', 'attempts', 'retry_after', 'unmarked', 'cms_id', 'has'] as const;

type SettledColumns = ('status' | 'attempts' | 'error' | 'item' | 'undelivered_files') | ('cms_id' | 'has');

/** The columns that a result changes. */
type Changes = Partial<Pick<RecordsTable, SettledColumns>> & {
  /** In ms. */
  retry_after?: number | null;
  /** 1: the CMS refused the first mark of the item, so the item has none. */
  unmarked?: 0 | 1;
  /** `unchanged`: the known state of the item and the delivered content stay. */
  confirms?: 'delivered' | 'deleted' | 'unchanged';
  /** Absent: it depends on the attempts. */
  knows?: Knowledge;
};

export type SettledRow = ReturnType<typeof toSettledRow>;

/** Row for the statement that settles a record. @param now in ms since 1970 */
export function toSettledRow(record: ClaimedRecord, result: DeliveryResult, now: number) {
  const { id, claim, wanted, hash, goal } = record;
  return {
    record: id,
    claim_token: claim,
    wanted,
    hash,
    goal: goal.is === 'gone' ? 'delete' : goal.is === 'exactly' ? goal.as : 'have',
    status: 'pending',
    attempts: 0,
    retry_after: null,
    error: errorOf(result),
    unmarked: 0,
    confirms: 'unchanged',
    knows: null,
    cms_id: null,
    has: null,
    item: null,
    undelivered_files: null,
    ...changesOf(record, result, now),
  };
}

function errorOf(result: DeliveryResult): string | null {
  if (!('code' in result)) return null;
  const { code, reason } = result;
  const refusal = result.is === 'failed' ? { refused: result.refused, refusedBy: result.refusedBy } : {};
  return errorColumn({ code, reason: clean(reason), ...refusal });
}

function changesOf(record: ClaimedRecord, result: DeliveryResult, now: number): Changes {
  const item = itemOf(record);
  switch (result.is) {
    case 'created':
    case 'updated':
    case 'unchanged': {
      const { incomplete, madeByCms = item?.madeByCms ?? {}, attributesBeforeMark = null } = result;
      const state = { ...result, isAdopted: item?.isAdopted ?? false, madeByCms, attributesBeforeMark };
      return {
        status: 'delivered',
        confirms: 'delivered',
        knows: 'known',
        cms_id: result.cmsId,
        has: record.wanted,
        item: itemColumn(state, {
          delivered: result.delivered,
          base: record.wanted === null ? (item?.base ?? {}) : record.desired,
        }),
        undelivered_files: incomplete && filesColumn(cleaned(incomplete), now),
      };
    }
    case 'removed':
      return { status: 'removed', confirms: 'deleted', knows: 'none' };
    case 'deleted':
      if (result.recreate) return { confirms: 'deleted', knows: 'maybe' };
      return { status: 'deleted', confirms: 'deleted', knows: 'none' };
    case 'stopped':
      return { retry_after: 0 };
    case 'retry':
    case 'postponed':
      return { attempts: result.is === 'retry' ? 1 : 0, retry_after: Math.round(result.afterMs) };
    case 'failed':
    case 'held': {
      const isUnmarked = result.sent && !result.doubt && isFirstMark(record);
      return {
        status: result.is,
        attempts: 1,
        retry_after: result.afterMs === undefined ? null : Math.round(result.afterMs),
        ...(isUnmarked && item && { unmarked: 1, item: itemColumnOf(item) }),
      };
    }
  }
}

function cleaned({ files, retryAfterMs }: Incomplete): Incomplete {
  const each = Object.entries(files).map(([name, file]) => [name, { ...file, reason: clean(file.reason) }]);
  return { files: Object.fromEntries(each), retryAfterMs };
}

/** Whether a refusal means that the item has no mark. An earlier mark without an answer may have been applied. */
function isFirstMark(record: ClaimedRecord): boolean {
  const isMark = record.goal.is === 'exactly' && record.goal.as === 'mark';
  return isMark && 'item' in record && record.item.attributesBeforeMark === null && record.open.length === 0;
}
