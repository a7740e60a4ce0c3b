import type { Attachment, Payload, Resource } from '../../core/record.ts';
import { type ItemState, itemColumn, itemIn } from '../database/item-state.ts';
import type { Incomplete } from '../database/undelivered-files.ts';
import type { OpenAttempt } from './open-attempts.ts';

/** An attachment with the fingerprint that shows whether it has changed. */
export interface StagedAttachment extends Attachment {
  /** Absent: the file could not be read when the plan was made. */
  fingerprint?: string;
}

/** What a delivery is to achieve. */
export type Goal =
  /** The item gets the content of the source. */
  | { is: 'have' }
  /** The undo of a delete: the item is created again, and never written over. */
  | { is: 'haveOnce' }
  /**
   * The item gets the desired attributes, and nothing else changes: the mark of a missing record, or the restore of an undo.
   * `expects`: hash that the item must have for it; absent: any.
   */
  | { is: 'exactly'; as: 'mark' | 'restore'; expects?: string }
  /** The item is deleted. */
  | { is: 'gone'; expects?: string };

/** The item of a record, as the CMS confirmed it last. */
export interface KnownItem extends ItemState {
  cmsId: number;
  /** Null: nothing was confirmed yet. */
  delivered: Payload | null;
  /** The content to which the record points for what was delivered. */
  base: Payload;
  /** The files that it was delivered without; absent: none. */
  incomplete?: Incomplete;
}

/** When no request of an earlier claim is under way any longer. */
export interface Quiet {
  /** From this moment on (by the monotonic clock of this process). */
  since: number;
  /**
   * The clock that decides `since` may have been set: a create may have been sent until this moment. Absent: this process has
   * watched the ledger's clock since the last claim ended, and the clock was not set.
   */
  doubtedSince?: number;
  /** When the last create had failed; its item may appear in the lists later. Absent: it may have been sent until `since`. */
  failedAt?: number;
}

/** A record that this process may act on until its lease ends. */
export type ClaimedRecord = {
  /** Its id in the ledger. */
  id: number;
  sync: string;
  key: string;
  /** The run that wants the change. */
  run: string;
  /** Fencing token: settling with an older one has no effect. */
  claim: string;
  resource: Resource;
  goal: Goal;
  /** The id of its content; null: only its item is known. */
  wanted: number | null;
  desired: Payload;
  attachments: StagedAttachment[];
  hash: string;
  attempts: number;
} & ItemKnowledge;

/** What is known of the item: docs/development/delivery-protocol.md explains the words. */
type ItemKnowledge =
  /** `password`: encrypted. */
  | { knows: 'none'; password: string | null }
  | { knows: 'refused' | 'maybe'; password: string | null; open: OpenAttempt[]; quiet: Quiet }
  | { knows: 'found' | 'known' | 'maybeGone'; item: KnownItem; open: OpenAttempt[] };

/** A claimed record that has an item. */
export type RecordWithItem = Extract<ClaimedRecord, { item: KnownItem }>;

/** A claimed record of which an earlier create may have left an item. */
export type RecordInDoubt = Extract<ClaimedRecord, { quiet: Quiet }>;

/** The item of a record, if the ledger knows it. */
export function itemOf(record: ClaimedRecord): KnownItem | undefined {
  return 'item' in record ? record.item : undefined;
}

/** The column `item` of a record's item. */
export function itemColumnOf({ delivered, base, ...state }: KnownItem): string | null {
  return itemColumn(state, { delivered: delivered ?? {}, base });
}

/** The attempts of earlier claims that the CMS may have applied. */
export function openOf(record: ClaimedRecord): OpenAttempt[] {
  return 'open' in record ? record.open : [];
}

/** The delete that was sent of the item of a record that is to have none. */
export function sentDelete({ goal, ...record }: ClaimedRecord): OpenAttempt | undefined {
  if (goal.is !== 'gone' || !('item' in record)) return undefined;
  const sent = record.open.filter(({ method }) => method === 'DELETE');
  return sent.find(({ before }) => before !== null) ?? sent[0];
}

/** The record once a delete of its item was sent. */
export function deletedRecord(
  record: RecordWithItem,
  { before, answeredAt }: Pick<OpenAttempt, 'before' | 'answeredAt'>,
): RecordWithItem {
  const sent: OpenAttempt = { method: 'DELETE', body: null, doubt: 'sent', before, answeredAt };
  return { ...record, knows: 'maybeGone', open: [sent, ...record.open] };
}

/** The record of a create that the CMS has just refused: it is looked up before another one. @param now by the monotonic clock */
export function refusedRecord(record: ClaimedRecord, now: number): ClaimedRecord {
  if ('item' in record) return record;
  const refused: OpenAttempt = { method: 'POST', body: null, doubt: 'refused', before: null };
  const quiet = { since: now, failedAt: now };
  return { ...record, knows: 'refused', open: [...openOf(record), refused], quiet };
}

/** The record of a create that has left an item, once that item is found. */
export function foundRecord(record: ClaimedRecord, cmsId: number): RecordWithItem {
  const { id, sync, key, run, claim, resource, goal, wanted, desired, attachments, hash, attempts } = record;
  return {
    ...{ id, sync, key, run, claim, resource, goal, wanted, desired, attachments, hash, attempts },
    knows: 'found',
    item: { cmsId, delivered: null, base: {}, ...itemIn(null) },
    open: openOf(record),
  };
}
