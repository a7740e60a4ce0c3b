import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { ErrorCode } from '../core/errors.ts';
import type { Attachment, Payload, Resource } from '../core/record.ts';
import { type Editable, toEditable } from './editable.ts';
import { addToHistory, type HistoryEntry, type Sent } from './history.ts';
import { isGone, thisProcess } from './holder.ts';
import type { LedgerDatabase, LedgerTables } from './schema.ts';

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
  resource: Resource;
  desired: Payload;
  attachments: StagedAttachment[];
  hash: string;
  delivered: Payload | null;
  deliveredAttachments: Record<string, string>;
  cmsId: number | null;
  editable: Editable;
  /** Encrypted; for the create alone. */
  password: string | null;
  attempts: number;
  /** An earlier claim may have sent a create that nobody settled: look it up before another. */
  maybeSent: boolean;
}

export type Settlement =
  | {
      is: 'created' | 'updated' | 'unchanged';
      cmsId: number;
      delivered: Payload;
      deliveredAttachments: Record<string, string>;
      /** Absent: no editor's word counts in it. */
      editable?: Editable;
      /** Something desired is not there yet (an unreadable file): the next plan holds the record again. */
      incomplete: boolean;
      uploads: number;
    }
  | { is: 'retry'; code: ErrorCode; reason: string; afterMs: number; maybeSent: boolean; uploads: number }
  | {
      is: 'failed' | 'held';
      code: ErrorCode;
      reason: string;
      maybeSent: boolean;
      uploads: number;
      /** The CMS will not have this, however often: what of (see `refusalHash`). */
      refused?: string;
    }
  /** The item was deleted in the CMS. Left so, it is skipped from now on; else it is created anew, in the same run. */
  | { is: 'deleted'; recreate: boolean; code: ErrorCode; reason: string; uploads: number };

export interface ClaimStore {
  /** Claims those of the keys that are due and that nobody else holds. */
  claim(sync: string, keys: readonly string[], leaseMs: number): Promise<ClaimedRecord[]>;
  /** Extends the lease of claimed records. */
  renew(records: readonly ClaimedRecord[], leaseMs: number): Promise<void>;
  /**
   * Writes down what became of a record, in its history too; false when the lease has lapsed and the record is no longer
   * ours.
   * @param sent the request that wrote the record; absent: none was sent
   */
  settle(record: ClaimedRecord, settlement: Settlement, sent?: Sent): Promise<boolean>;
  /** Gives records back untouched: nothing was sent for them. */
  release(records: readonly ClaimedRecord[]): Promise<void>;
  /** Of the keys: how many are still to be delivered, and in how many ms the first of them is due. */
  outstanding(sync: string, keys: readonly string[]): Promise<{ pending: number; dueInMs: number }>;
  /** Which of the CMS ids belong to records of the ledger. */
  owned(resource: Resource, cmsIds: readonly number[]): Promise<Set<number>>;
  /** Frees the claims of processes of this machine that are gone; their creates stay in doubt. */
  releaseGone(sync: string): Promise<void>;
}

export function createClaimStore({ db, now }: LedgerDatabase): ClaimStore {
  return { claim, renew, settle, release, outstanding, owned, releaseGone };

  async function claim(sync: string, keys: readonly string[], leaseMs: number): Promise<ClaimedRecord[]> {
    if (keys.length === 0) return [];
    const token = randomUUID();
    const rows = await db
      .updateTable('records')
      .set({
        claim: token,
        claim_holder: thisProcess,
        claim_until: sql<number>`${now} + ${leaseMs}`,
        maybe_sent_before: sql<number>`maybe_sent`,
        maybe_sent: sql<number>`case when cms_id is null then 1 else 0 end`,
      })
      .where('sync', '=', sync)
      .where('key', 'in', keys)
      .where('status', '=', 'pending')
      .where(({ or, eb }) => or([eb('claim_until', 'is', null), eb('claim_until', '<', now)]))
      .where(({ or, eb }) => or([eb('retry_at', 'is', null), eb('retry_at', '<=', now)]))
      .returningAll()
      .execute();
    return rows.map((row) => ({
      sync,
      key: row.key,
      run: row.run,
      claim: token,
      resource: row.resource as Resource,
      desired: JSON.parse(row.desired) as Payload,
      attachments: JSON.parse(row.attachments) as StagedAttachment[],
      hash: row.hash,
      delivered: row.delivered ? (JSON.parse(row.delivered) as Payload) : null,
      deliveredAttachments: JSON.parse(row.delivered_attachments ?? '{}') as Record<string, string>,
      cmsId: row.cms_id,
      editable: toEditable(row.editable),
      password: row.password,
      attempts: row.attempts,
      maybeSent: row.maybe_sent_before === 1,
    }));
  }

  async function renew(records: readonly ClaimedRecord[], leaseMs: number): Promise<void> {
    await ours(records)
      ?.set({ claim_until: sql<number>`${now} + ${leaseMs}` })
      .execute();
  }

  async function release(records: readonly ClaimedRecord[]): Promise<void> {
    await ours(records)
      ?.set({ claim: null, claim_holder: null, claim_until: null, maybe_sent: sql<number>`maybe_sent_before` })
      .execute();
  }

  function ours(records: readonly ClaimedRecord[], within: Kysely<LedgerTables> = db) {
    const first = records[0];
    if (!first) return undefined;
    return within
      .updateTable('records')
      .where('sync', '=', first.sync)
      .where(
        'key',
        'in',
        records.map((record) => record.key),
      )
      .where('claim', '=', first.claim)
      .where('claim_until', '>=', now);
  }

  function settle(record: ClaimedRecord, settlement: Settlement, sent?: Sent): Promise<boolean> {
    return db.transaction().execute(async (transaction) => {
      const updated = await ours([record], transaction)
        ?.set({
          claim: null,
          claim_holder: null,
          claim_until: null,
          uploads: sql<number>`uploads + ${settlement.uploads}`,
          ...(isDelivered(settlement) ? deliveredColumns(record, settlement) : undeliveredColumns(settlement)),
        })
        .executeTakeFirst();
      if (!updated?.numUpdatedRows) return false;
      await addToHistory(transaction, historyEntry(record, settlement, sent), now);
      return true;
    });
  }

  function deliveredColumns(record: ClaimedRecord, settlement: DeliveredSettlement) {
    // A newer reading may have been staged meanwhile; then the record stays pending for it.
    const isNewest = sql`hash = ${record.hash}`;
    return {
      status: sql<'delivered' | 'pending'>`case when ${isNewest} then 'delivered' else 'pending' end`,
      outcome: sql<typeof settlement.is>`case when ${isNewest} then ${settlement.is} else outcome end`,
      delivered: JSON.stringify(settlement.delivered),
      delivered_attachments: JSON.stringify(settlement.deliveredAttachments),
      delivered_hash: settlement.incomplete ? null : record.hash,
      delivered_at: now,
      cms_id: settlement.cmsId,
      editable: settlement.editable ? JSON.stringify(settlement.editable) : null,
      password: null,
      maybe_sent: 0,
      refused_hash: null,
      error_code: null,
      error_reason: null,
    };
  }

  function undeliveredColumns(settlement: Exclude<Settlement, DeliveredSettlement>) {
    const error = { error_code: settlement.code, error_reason: settlement.reason };
    if (settlement.is === 'deleted') return { ...error, ...deletedColumns(settlement.recreate) };
    return {
      ...error,
      maybe_sent: settlement.maybeSent ? 1 : 0,
      attempts: sql<number>`attempts + 1`,
      ...(settlement.is === 'retry'
        ? { retry_at: sql<number>`${now} + ${Math.round(settlement.afterMs)}` }
        : { status: settlement.is, outcome: settlement.is, refused_hash: settlement.refused ?? null }),
    };
  }

  /** Nothing of it is in the CMS any more. */
  function deletedColumns(recreate: boolean) {
    return {
      status: recreate ? ('pending' as const) : ('deleted' as const),
      outcome: recreate ? null : ('skipped' as const),
      cms_id: null,
      delivered: null,
      delivered_attachments: null,
      delivered_hash: null,
      editable: null,
      maybe_sent: 0,
      retry_at: null,
    };
  }

  async function outstanding(sync: string, keys: readonly string[]): Promise<{ pending: number; dueInMs: number }> {
    if (keys.length === 0) return { pending: 0, dueInMs: 0 };
    const rows = await db
      .selectFrom('records')
      .select(['retry_at', 'claim_until', now.as('now')])
      .where('sync', '=', sync)
      .where('key', 'in', keys)
      .where('status', '=', 'pending')
      .execute();
    const waits = rows.map((row) => Math.max(row.retry_at ?? 0, row.claim_until ?? 0) - Number(row.now));
    return { pending: rows.length, dueInMs: waits.length === 0 ? 0 : Math.max(0, Math.min(...waits)) };
  }

  async function owned(resource: Resource, cmsIds: readonly number[]): Promise<Set<number>> {
    if (cmsIds.length === 0) return new Set();
    const rows = await db
      .selectFrom('records')
      .select('cms_id')
      .where('resource', '=', resource)
      .where('cms_id', 'in', cmsIds)
      .execute();
    return new Set(rows.flatMap((row) => row.cms_id ?? []));
  }

  async function releaseGone(sync: string): Promise<void> {
    const holders = await db
      .selectFrom('records')
      .select('claim_holder')
      .distinct()
      .where('sync', '=', sync)
      .where('claim_until', '>=', now)
      .execute();
    const gone = holders.map((row) => row.claim_holder).filter((holder) => holder !== null && isGone(holder));
    if (gone.length === 0) return;
    await db
      .updateTable('records')
      .set({ claim: null, claim_holder: null, claim_until: null })
      .where('sync', '=', sync)
      .where('claim_holder', 'in', gone)
      .execute();
  }
}

function historyEntry({ sync, key, run, cmsId }: ClaimedRecord, settlement: Settlement, sent?: Sent): HistoryEntry {
  const { is: outcome, uploads } = settlement;
  const entry = { sync, key, run, outcome, uploads, ...(sent ? { sent } : {}) };
  if (isDelivered(settlement)) return { ...entry, cmsId: settlement.cmsId };
  const error = { code: settlement.code, reason: settlement.reason };
  return { ...entry, error, ...(cmsId === null ? {} : { cmsId }) };
}

type DeliveredSettlement = Extract<Settlement, { cmsId: number }>;

function isDelivered(settlement: Settlement): settlement is DeliveredSettlement {
  return 'cmsId' in settlement;
}
