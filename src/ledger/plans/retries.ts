import { type RawBuilder, sql } from 'kysely';
import { isUndelivered } from '../database/partial-indexes.ts';
import type { LedgerDatabase, RecordStatus } from '../database/schema.ts';

/** A worker may be at the pending ones; all others wait for somebody to do something. */
const NOT_THROUGH = ['pending', 'failed', 'held'] as const satisfies RecordStatus[];

/** What it takes to try records again as the ledger has them, without a reading of the feed. */
export function createRetryStore({ db, now }: LedgerDatabase) {
  return { unknownKeys, retryable, stageRetries, stageItemless, keepOnly, lookUpHeld };

  /** Which of the keys the ledger has no record of. */
  async function unknownKeys(sync: string, keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const rows = await db
      .selectFrom('records')
      .select('key')
      .where('sync', '=', sync)
      .where('key', 'in', keys)
      .execute();
    const known = new Set(rows.map(({ key }) => key));
    return keys.filter((key) => !known.has(key));
  }

  /** The records that did not get through: those named, else those that the source still wants. */
  async function retryable(sync: string, named?: readonly string[]): Promise<string[]> {
    const rows = await db
      .selectFrom('records')
      .select('key')
      .where('sync', '=', sync)
      .where(isUndelivered)
      .where('status', 'in', NOT_THROUGH)
      .where(({ eb }) => (named ? eb('key', 'in', named) : eb('not_retried', '=', 0)))
      .orderBy('key')
      .execute();
    return rows.map(({ key }) => key);
  }

  /** Stages what is due, and what is named beyond it: records with an item of the CMS as updates, the others as creates. */
  async function stageRetries(run: string, sync: string, named?: readonly string[]): Promise<void> {
    const isNamed = named ? sql<boolean>`or key in (${sql.join(named)})` : sql<boolean>``;
    const isDue = sql<boolean>`${isUndelivered} and status in (${sql.join(NOT_THROUGH)}) and (not_retried = 0 ${isNamed})`;
    await stageWhere(run, sync, isDue);
  }

  /**
   * Stages a record that has no item of the CMS as a create, one that was deleted there, too; false where it has an item,
   * or where a worker is at it.
   */
  async function stageItemless(run: string, sync: string, key: string): Promise<boolean> {
    const isFree = sql<boolean>`(claim_until is null or claim_until < ${now})`;
    const rows = await stageWhere(run, sync, sql<boolean>`key = ${key} and cms_id is null and ${isFree}`);
    return rows > 0n;
  }

  async function stageWhere(run: string, sync: string, condition: RawBuilder<boolean>): Promise<bigint> {
    const { numAffectedRows = 0n } = await sql`
      insert into staged_changes (
        run, key, op, place, resource, desired, attachments, hash, starts_on, ends_on, changed, password, expected_item_hash
      )
      select ${run}, key, coalesce(action, case when cms_id is null then 'create' else 'update' end), place, resource,
        desired, attachments, hash, starts_on, ends_on, '[]', password, expected_item_hash
      from records where sync = ${sync} and ${condition}
    `.execute(db);
    return numAffectedRows;
  }

  /** Takes all but these keys out of what is staged. */
  async function keepOnly(run: string, keys: readonly string[]): Promise<void> {
    await db.deleteFrom('staged_changes').where('run', '=', run).where('key', 'not in', keys).execute();
  }

  /** Of the staged creates, those that were held since the CMS may have them: they are looked up before they are sent. */
  async function lookUpHeld(run: string, sync: string): Promise<void> {
    await db
      .updateTable('records')
      .set({ create_unconfirmed: 1 })
      .where('sync', '=', sync)
      .where(isUndelivered)
      .where('status', '=', 'held')
      .where('error_code', '=', 'FF_ADOPT_AMBIGUOUS')
      .where('cms_id', 'is', null)
      .where(
        'key',
        'in',
        db.selectFrom('staged_changes').select('staged_changes.key').where('run', '=', run).where('op', '=', 'create'),
      )
      .execute();
  }
}
