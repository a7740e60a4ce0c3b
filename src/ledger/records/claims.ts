import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import { isGone, thisProcess } from '../database/lease-holder.ts';
import { isUndelivered } from '../database/partial-indexes.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import type { ClaimedRecord, StagedAttachment } from './claimed-record.ts';
import type { DeliveryResult } from './delivery-result.ts';
import { toEditorState } from './editor-state.ts';
import { createSettle } from './settle.ts';
import { doubtedBefore, doubtedWhenClaimed, doubtedWhenReleased } from './unconfirmed-creates.ts';

export interface ClaimStore {
  /** Claims those of the keys that are due and that nobody else holds. */
  claim(sync: string, keys: readonly string[], leaseMs: number): Promise<ClaimedRecord[]>;
  /** Extends the lease of claimed records. */
  renew(records: readonly ClaimedRecord[], leaseMs: number): Promise<void>;
  /**
   * Writes the result of a claimed record, to its history too; false if the lease has lapsed and the record is no longer
   * ours.
   */
  settle(record: ClaimedRecord, result: DeliveryResult): Promise<boolean>;
  /** Gives records back untouched: nothing was sent for them. */
  release(records: readonly ClaimedRecord[]): Promise<void>;
  /** Of the keys: how many are still to be delivered, and in how many ms the first of them is due. */
  outstanding(sync: string, keys: readonly string[]): Promise<{ pending: number; dueInMs: number }>;
  /** Which of the CMS ids belong to records of the ledger. */
  owned(resource: Resource, cmsIds: readonly number[]): Promise<Set<number>>;
  /**
   * Frees the claims of processes of this machine that are gone. What they sent may still be on its way: nobody touches
   * the records for `quietMs`, and their creates stay in doubt.
   */
  releaseGone(sync: string, quietMs: number): Promise<void>;
}

export function createClaimStore(database: LedgerDatabase): ClaimStore {
  const { db, now } = database;
  const settle = createSettle(database);
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
        doubted: doubtedWhenClaimed,
        // Given back unsent it stays so: that costs a PATCH too many at worst.
        maybe_removed: sql<number>`case when action = 'delete' then 1 else maybe_removed end`,
        // The end of the quiet time after the last claim, which has lapsed or was settled.
        retry_at: sql<number | null>`coalesce(claim_until, retry_at)`,
      })
      .where('sync', '=', sync)
      .where('key', 'in', keys)
      .where('status', '=', 'pending')
      .where(({ or, eb }) => or([eb('claim_until', 'is', null), eb('claim_until', '<', now)]))
      .where(({ or, eb }) => or([eb('retry_at', 'is', null), eb('retry_at', '<=', now)]))
      .returningAll()
      .returning(now.as('now'))
      .execute();
    const claimedAt = performance.now();
    return rows.map((row) => ({
      sync,
      key: row.key,
      run: row.run,
      claim: token,
      action: row.action,
      resource: row.resource as Resource,
      desired: JSON.parse(row.desired) as Payload,
      attachments: JSON.parse(row.attachments) as StagedAttachment[],
      hash: row.hash,
      delivered: toPayload(row.delivered),
      deliveredAttachments: JSON.parse(row.delivered_attachments ?? '{}') as Record<string, string>,
      cmsId: row.cms_id,
      editorState: toEditorState(row.editable),
      password: row.password,
      attempts: row.attempts,
      createUnconfirmed: row.maybe_sent_before === 1,
      unconfirmedPayloads: doubtedBefore(row.doubted),
      deleteUnconfirmed: row.maybe_removed === 1,
      attributesBeforeMark: toPayload(row.marked),
      beforeImage: toPayload(row.before_image),
      expectedItemHash: row.seen,
      quietSince: claimedAt - (row.retry_at === null ? 0 : Number(row.now) - row.retry_at),
    }));
  }

  async function renew(records: readonly ClaimedRecord[], leaseMs: number): Promise<void> {
    await ours(records)
      ?.set({ claim_until: sql<number>`${now} + ${leaseMs}` })
      .execute();
  }

  async function release(records: readonly ClaimedRecord[]): Promise<void> {
    await ours(records)
      ?.set({
        claim: null,
        claim_holder: null,
        claim_until: null,
        maybe_sent: sql<number>`maybe_sent_before`,
        doubted: doubtedWhenReleased,
      })
      .execute();
  }

  function ours(records: readonly ClaimedRecord[]) {
    const first = records[0];
    if (!first) return undefined;
    return db
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

  async function releaseGone(sync: string, quietMs: number): Promise<void> {
    const holders = await db
      .selectFrom('records')
      .select('claim_holder')
      .distinct()
      .where('sync', '=', sync)
      .where(isUndelivered)
      .where('claim_until', '>=', now)
      .execute();
    const gone = holders.map((row) => row.claim_holder).filter((holder) => holder !== null && isGone(holder));
    if (gone.length === 0) return;
    await db
      .updateTable('records')
      .set({ claim: null, claim_holder: null, claim_until: null, retry_at: sql<number>`${now} + ${quietMs}` })
      .where('sync', '=', sync)
      .where(isUndelivered)
      .where('claim_holder', 'in', gone)
      .execute();
  }
}

function toPayload(column: string | null): Payload | null {
  return column === null ? null : (JSON.parse(column) as Payload);
}
