import { sql } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import { watchClock } from '../database/clock-watch.ts';
import { isPaused, isUndelivered } from '../database/conditions.ts';
import { groupCommit } from '../database/group-commit.ts';
import { distinct } from '../database/queries.ts';
import type { LedgerDatabase, RecordsTable } from '../database/schema.ts';
import type { ClaimedRecord, StagedAttachment } from './claimed-record.ts';
import { toEditorState } from './editor-state.ts';
import { createSettle } from './settle.ts';
import { unconfirmedBefore, unconfirmedWhenClaimed, unconfirmedWhenReleased } from './unconfirmed-creates.ts';

const CLAIMED_COLUMNS = [
  ...(['key', 'run', 'action', 'resource', 'desired', 'attachments', 'hash', 'password', 'attempts'] as const),
  ...(['cms_id', 'delivered', 'delivered_attachments', 'made_by_cms', 'editor_state', 'quiet_since'] as const),
  ...(['create_unconfirmed_before_claim', 'unconfirmed_payloads', 'delete_unconfirmed'] as const),
  ...(['attributes_before_mark', 'before_image', 'expected_item_hash'] as const),
] satisfies ReadonlyArray<keyof RecordsTable>;

export function createClaimStore(database: LedgerDatabase) {
  const { db, now, readAtOnce, runtime } = database;
  const settle = createSettle(database);
  const trustedSinceOf = watchClock();
  const confirmWithOthers = groupCommit(confirmAll, runtime, { gatherMs: 0, longest: 200 });
  const leftOfClaim = db
    .selectFrom('records')
    .select(sql<number>`claim_until - ${now}`.as('left'))
    .where(({ and }) => and({ sync: '', key: '', claim_token: '' }))
    .compile();
  return { claim, renew, confirm, settle, release, outstanding, owned, releaseExited };

  /** Claims those of the records with these keys that are due and not claimed by others. */
  async function claim(sync: string, keys: readonly string[], leaseMs: number): Promise<ClaimedRecord[]> {
    if (keys.length === 0) return [];
    const token = runtime.uuid();
    const begin = runtime.monotonic();
    const rows = await db
      .updateTable('records')
      .set({
        claim_token: token,
        claim_holder: runtime.process,
        claim_until: sql<number>`${now} + ${leaseMs}`,
        create_unconfirmed_before_claim: sql<number>`create_unconfirmed`,
        create_unconfirmed: sql<number>`case when cms_id is null then 1 else 0 end`,
        unconfirmed_payloads: unconfirmedWhenClaimed,
        // Not reset on release; at worst this causes one redundant PATCH.
        delete_unconfirmed: sql<number>`case when action = 'delete' then 1 else delete_unconfirmed end`,
        // The last claim has lapsed, was released or was settled; its request may be under way until `retry_at`.
        quiet_since: sql<number | null>`
          coalesce(claim_until, case when quiet_since > retry_at then quiet_since else coalesce(retry_at, quiet_since) end)`,
      })
      .where('sync', '=', sync)
      .where('key', 'in', keys)
      .where('status', '=', 'pending')
      .where(({ or, eb }) => or([eb('claim_until', 'is', null), eb('claim_until', '<', now)]))
      .where(({ not }) => not(isPaused(now)))
      .returning(CLAIMED_COLUMNS)
      .returning(now.as('now'))
      .execute();
    const end = runtime.monotonic();
    const [first] = rows;
    if (!first) return [];
    const trustedSince = trustedSinceOf({ now: Number(first.now), begin, end });
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
      madeByCms: toPayload(row.made_by_cms) ?? {},
      editorState: toEditorState(row.editor_state),
      password: row.password,
      attempts: row.attempts,
      createUnconfirmed: row.create_unconfirmed_before_claim === 1,
      unconfirmedPayloads: unconfirmedBefore(row.unconfirmed_payloads),
      deleteUnconfirmed: row.delete_unconfirmed === 1,
      attributesBeforeMark: toPayload(row.attributes_before_mark),
      beforeImage: toPayload(row.before_image),
      expectedItemHash: row.expected_item_hash,
      ...quietOf(row, { end, trustedSince }),
    }));
  }

  /** Extends the lease of claimed records. Returns the keys of the records that are still ours: only these have a lease. */
  async function renew(records: readonly ClaimedRecord[], leaseMs: number): Promise<Set<string>> {
    const renewed = await ours(records)
      ?.set({ claim_until: sql<number>`${now} + ${leaseMs}` })
      .returning('key')
      .execute();
    return new Set(renewed?.map(({ key }) => key));
  }

  /** How long a record is still ours, in ms; 0: it is no longer ours. */
  async function confirm(record: ClaimedRecord): Promise<number> {
    const { sync, key, claim } = record;
    const rows = readAtOnce?.<{ left: number }>({ ...leftOfClaim, parameters: [sync, key, claim] });
    return rows ? Math.max(0, rows[0]?.left ?? 0) : confirmWithOthers(record);
  }

  /** Confirms records in one query if they are asked about at the same time. */
  async function confirmAll(records: readonly ClaimedRecord[]): Promise<number[]> {
    const rows = await db
      .selectFrom('records')
      .select(['key', 'claim_token', sql<number>`claim_until - ${now}`.as('left')])
      .where('sync', 'in', distinct(records.map(({ sync }) => sync)))
      .where('key', 'in', distinct(records.map(({ key }) => key)))
      .where('claim_token', 'in', distinct(records.map(({ claim }) => claim)))
      .execute();
    const left = new Map(rows.map((row) => [`${row.claim_token}${row.key}`, Number(row.left)]));
    return records.map(({ claim, key }) => Math.max(0, left.get(claim + key) ?? 0));
  }

  /** Releases records for which nothing was sent. */
  async function release(records: readonly ClaimedRecord[]): Promise<void> {
    await ours(records)
      ?.set({
        claim_token: null,
        claim_holder: null,
        claim_until: null,
        create_unconfirmed: sql<number>`create_unconfirmed_before_claim`,
        unconfirmed_payloads: unconfirmedWhenReleased,
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
      .where('claim_token', '=', first.claim)
      .where('claim_until', '>=', now);
  }

  /** How many records with these keys are still to be delivered, and in how many ms the first of them is due. */
  async function outstanding(sync: string, keys: readonly string[]): Promise<{ pending: number; dueInMs: number }> {
    if (keys.length === 0) return { pending: 0, dueInMs: 0 };
    const rows = await db
      .selectFrom('records')
      .select(['claim_until', now.as('now')])
      .select(sql<number | null>`case when ${isPaused(now)} then retry_at end`.as('retry_at'))
      .where('sync', '=', sync)
      .where('key', 'in', keys)
      .where('status', '=', 'pending')
      .execute();
    const waits = rows.map((row) => Math.max(row.retry_at ?? 0, row.claim_until ?? 0) - Number(row.now));
    return { pending: rows.length, dueInMs: waits.length === 0 ? 0 : Math.max(0, Math.min(...waits)) };
  }

  /** Returns those of the CMS ids that belong to records in the ledger. */
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

  /**
   * Releases the claims of exited processes of this machine. Their requests may still be under way, so the records are not
   * claimed for `quietMs`, even if a new plan changes them, and their creates stay unconfirmed.
   */
  async function releaseExited(sync: string, quietMs: number): Promise<void> {
    const holders = await db
      .selectFrom('records')
      .select('claim_holder')
      .distinct()
      .where('sync', '=', sync)
      .where(isUndelivered)
      .where('claim_until', '>=', now)
      .execute();
    const gone = holders.map((row) => row.claim_holder).filter((holder) => holder !== null && runtime.isGone(holder));
    if (gone.length === 0) return;
    await db
      .updateTable('records')
      .set({
        claim_token: null,
        claim_holder: null,
        claim_until: null,
        quiet_since: now,
        retry_at: sql<number>`${now} + ${quietMs}`,
        error_code: null,
        error_reason: null,
      })
      .where('sync', '=', sync)
      .where(isUndelivered)
      .where('claim_holder', 'in', gone)
      .execute();
  }
}

/** When the last claim of a record ended, in the time of this process, and whether the ledger's clock can be trusted about it. */
function quietOf(
  { quiet_since, now }: { quiet_since: number | null; now: number },
  { end, trustedSince }: { end: number; trustedSince: number },
): Pick<ClaimedRecord, 'quietSince' | 'doubtedSince'> {
  const agoMs = quiet_since === null ? 0 : Number(now) - quiet_since;
  // The end lies in the future: the clock has gone back since.
  if (agoMs < 0) return { quietSince: end, doubtedSince: end };
  const quietSince = end - agoMs;
  const isDoubted = quiet_since === null || quietSince < trustedSince;
  return { quietSince, ...(isDoubted ? { doubtedSince: trustedSince } : {}) };
}

function toPayload(column: string | null): Payload | null {
  return column === null ? null : (JSON.parse(column) as Payload);
}
