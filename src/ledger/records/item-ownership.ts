import { type RawBuilder, sql } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import { isClaimed, isInDoubt, isOurs } from '../database/conditions.ts';
import { type DeliveredColumns, deliveredIn } from '../database/item-state.ts';
import type { LedgerDatabase, RecordContents } from '../database/schema.ts';
import { all, cell, change, one } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import { openCreates } from './opening.ts';
import { contested, found, move, reconsidered, relocated } from './transitions.ts';

/** `owned`: another record has the item. `contested`: two records wanted it at the same moment, or our lease has lapsed. */
export type Taking = 'taken' | 'owned' | 'contested';

/** The record that owns an item. */
export interface Owner {
  sync: string;
  key: string;
}

/** A record whose item has some value, or that is about to get it. */
export interface Holder {
  key: string;
  cmsId: number | null;
  /** Whether the CMS has still to get what is desired. */
  isPending: boolean;
  isMissing: boolean;
  /** Empty: the item is to be deleted. */
  desired: Payload;
}

export function createOwnershipStore({ db, now }: LedgerDatabase) {
  return { takeItem, replaceItem, ownersOf, confirmedLast, deliveredAs, holderOf, beginsLike };

  /** The delivered payloads of the records that own some items of the CMS, by the ids of the items. */
  async function deliveredAs(resource: Resource, cmsIds: readonly number[]): Promise<Map<number, Payload>> {
    if (cmsIds.length === 0) return new Map();
    const rows = await all<DeliveredColumns & { cms_id: number }>(db)`
      select cms_id, delivered, item from record_contents where resource = ${resource} and ${isOneOf('cms_id', cmsIds)}
    `;
    return new Map(rows.map((row) => [row.cms_id, deliveredIn(row) ?? {}]));
  }

  /**
   * Returns up to three other records whose items were confirmed last, as they were then: of the sync or, if it has none, of the other
   * syncs of the target. Some may be about to change.
   * @param since only records that end on this day or later, ISO date
   * @param beforeMs only records that were confirmed longer ago, in ms
   */
  async function confirmedLast(
    { sync, key, resource }: Pick<ClaimedRecord, 'sync' | 'key' | 'resource'>,
    { target, since, beforeMs }: { target: string; since: string; beforeMs: number },
  ) {
    // A delivery time in the future was recorded before the clock went back.
    const confirmed = (condition: RawBuilder<unknown>) => all<Owner & DeliveredColumns & { cms_id: number }>(db)`
      select sync, key, cms_id, delivered, item from record_contents as records
      where knows = 'known' and cms_id is not null
        and (delivered_at < ${now} - ${Math.ceil(beforeMs)} or delivered_at > ${now})
        and coalesce(ends_on, starts_on, ${since}) >= ${since} and ${condition} limit 3
    `;
    const own = await confirmed(sql`sync = ${sync} and key <> ${key} order by delivered_at desc`);
    const isThere = sql`exists (select 1 from runs where runs.sync = records.sync and runs.target = ${target})`;
    const ofOthers = sql`resource = ${resource} and sync <> ${sync} and ${isThere} order by cms_id desc`;
    const rows = own.length > 0 ? own : await confirmed(ofOthers);
    return rows.map(({ cms_id, sync, key, ...has }) => {
      return { sync, key, cmsId: cms_id, payload: deliveredIn(has) ?? {} };
    });
  }

  /** Returns the records that own items of the CMS, by the ids of the items; items that no record owns are absent. */
  async function ownersOf(resource: Resource, cmsIds: readonly number[]): Promise<Map<number, Owner>> {
    if (cmsIds.length === 0) return new Map();
    const rows = await all<Owner & { cms_id: number }>(db)`
      select cms_id, sync, key from records where resource = ${resource} and ${isOneOf('cms_id', cmsIds)}
    `;
    return new Map(rows.map(({ cms_id, sync, key }) => [cms_id, { sync, key }]));
  }

  /** Returns another record of the sync whose item has a value, in any case; or else one that is about to get it. */
  async function holderOf(
    { sync, key, resource }: Pick<ClaimedRecord, 'sync' | 'key' | 'resource'>,
    attribute: string,
    value: string,
  ): Promise<Holder | undefined> {
    const text = `${JSON.stringify(attribute)}:${JSON.stringify(value)}`.replace(/[\\%_]/g, '\\$&');
    const has = (column: 'desired' | 'delivered' | 'item') =>
      sql`lower(${sql.ref(column)}) like lower(${`%${text}%`}) escape '\\'`;
    const row = await one<Pick<RecordContents, 'key' | 'cms_id' | 'status' | 'goal' | 'desired' | 'missing_since'>>(db)`
      select key, cms_id, status, goal, desired, missing_since from record_contents
      where sync = ${sync} and resource = ${resource} and key <> ${key} and (
        (cms_id is not null and (${has('delivered')} or ${has('item')})) or (status = 'pending' and ${has('desired')})
      )
      order by case when cms_id is null then 1 else 0 end limit 1
    `;
    return (
      row && {
        key: row.key,
        cmsId: row.cms_id,
        isPending: row.status === 'pending',
        isMissing: row.missing_since !== null,
        desired: row.goal === 'delete' ? {} : (JSON.parse(row.desired) as Payload),
      }
    );
  }

  /**
   * Returns another record that has an item, and whose external id begins with this. Of two that may have one, the first has the right
   * to it: otherwise two processes would wait for each other.
   */
  async function beginsLike(
    { sync, key, resource }: Pick<ClaimedRecord, 'sync' | 'key' | 'resource'>,
    begin: string,
  ): Promise<Owner | undefined> {
    return one<Owner>(db)`
      select sync, key from records
      where resource = ${resource} and (cms_id is not null or (${isInDoubt} and (sync, key) < (${sync}, ${key})))
        and not (sync = ${sync} and key = ${key})
        and substr(sync || ':' || key, 1, length(cast(${begin} as text))) = cast(${begin} as text)
      limit 1
    `;
  }

  /**
   * Makes a claimed record the owner of a CMS item, so that two similar records never get the same one. A record that has an item
   * gets another one.
   * @param isCreated a create under the claim has made the item: it stays open until the record is settled
   */
  async function takeItem(record: ClaimedRecord, cmsId: number, isCreated = false): Promise<Taking> {
    const isKnown = 'item' in record;
    const isOwned = sql`exists (select 1 from records as owner where owner.resource = ${record.resource} and owner.cms_id = ${cmsId})`;
    const taken = move(isKnown ? relocated(cmsId) : found(cmsId), { where: sql`${ours(record)} and not ${isOwned}` });
    const isTaken = await db.transaction().execute(async (transaction) => {
      const isTaken = (await change(transaction)`${taken}`) > 0;
      if (isCreated && isTaken) {
        await openCreates(record.claim, sql`records.id = ${record.id}`, now).execute(transaction);
      }
      return isTaken;
    });
    const owners = await ownersNow(record.resource, cmsId);
    if (!isTaken) return owners > 0 ? 'owned' : 'contested';
    if (owners === 1) return 'taken';
    // In PostgreSQL, two transactions may both succeed. Afterwards at least one of them sees both owners, and gives up.
    await move(isKnown ? relocated(record.item.cmsId) : contested, { where: ours(record) }).execute(db);
    await move(reconsidered, { where: ours(record) }).execute(db);
    return 'contested';
  }

  /**
   * Makes a record the owner of the item that a person has named, in place of one that the CMS no longer has. Returns false if the
   * record is being delivered, or has another item by now.
   */
  async function replaceItem(sync: string, key: string, items: { lost: number; named: number }): Promise<boolean> {
    const where = sql`records.sync = ${sync} and records.key = ${key} and cms_id = ${items.lost} and not ${isClaimed(now)}`;
    return (await change(db)`${move(relocated(items.named), { where })}`) > 0;
  }

  async function ownersNow(resource: Resource, cmsId: number): Promise<number> {
    return (
      (await cell<number>(db)`select count(*) from records where resource = ${resource} and cms_id = ${cmsId}`) ?? 0
    );
  }

  function ours({ id, claim }: ClaimedRecord) {
    return sql`records.id = ${id} and ${isOurs(sql`${claim}`, now)}`;
  }
}
