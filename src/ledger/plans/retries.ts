import { type RawBuilder, sql } from 'kysely';
import { codesAnsweredBy, type RecordAnswer } from '../../core/errors.ts';
import type { Payload } from '../../core/record.ts';
import { hashOf, isClaimed, isNotThrough, isOfSource, isUndelivered, isWithoutFile } from '../database/conditions.ts';
import { itemColumn, itemIn } from '../database/item-state.ts';
import { hasError } from '../database/record-error.ts';
import type { LedgerDatabase, RecordContents } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { addContents } from '../records/contents.ts';
import { nextSeq } from '../records/opening.ts';
import { move, reconsidered } from '../records/transitions.ts';
import { changeStaged } from './adoptions.ts';
import { isStaged } from './missing-records.ts';

/** Of records: undelivered, or delivered without a file. */
const isRetried = sql<boolean>`(
  (${isUndelivered} and ${isNotThrough})
  or (${isWithoutFile} and status = 'delivered' and ${isOfSource})
)`;

/** The known content of a record's item. */
export interface KnownContent {
  key: string;
  desired: Payload;
  delivered: Payload;
  deliveredAttachments: Record<string, string>;
  /** Names of the attributes that are delivered again. */
  changed: readonly string[];
}

/** Stages records as the ledger has them, without reading the feed. */
export function createRetryStore({ db, now, forRows }: LedgerDatabase) {
  return { unknownKeys, retryable, stageRetries, stageItemless, stageAgain, keepOnly, lookUpHeld };

  /** Returns the keys that the ledger does not have. */
  async function unknownKeys(sync: string, keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const rows = await all<{ key: string }>(db)`
      select key from records where sync = ${sync} and ${isOneOf('key', keys)}
    `;
    const known = new Set(rows.map(({ key }) => key));
    return keys.filter((key) => !known.has(key));
  }

  /**
   * Keys of records that are undelivered, or lack a file: of the named ones, or else of those that the source still wants.
   * @param options `answer`: only of those that are held until a person says this of them
   */
  async function retryable(
    sync: string,
    named?: readonly string[],
    { answer }: { answer?: RecordAnswer | undefined } = {},
  ): Promise<string[]> {
    const isDue = answer
      ? sql`${isUndelivered} and status = 'held' and ${hasError(...codesAnsweredBy[answer])} and ${answer === 'leave' ? sql`cms_id is null` : sql`1 = 1`}`
      : isRetried;
    const rows = await all<{ key: string }>(db)`
      select key from records
      where sync = ${sync} and ${isDue} and ${named ? isOneOf('key', named) : sql`goal <> 'leave'`} order by key
    `;
    return rows.map(({ key }) => key);
  }

  /** Stages records that are due, and records that are named: those with a CMS item as updates, the others as creates. */
  async function stageRetries(run: string, sync: string, named?: readonly string[]): Promise<void> {
    const isNamed = named ? sql<boolean>`or ${isOneOf('key', named)}` : sql<boolean>``;
    const isDue = sql<boolean>`${isRetried} and (goal <> 'leave' ${isNamed})`;
    await stageWhere(run, sync, isDue);
  }

  /**
   * Stages a record without a CMS item as a create, even if the item was deleted there. Returns false if the record has an
   * item or is being delivered.
   * @param cmsId the item that the record may have: then it is staged as an update
   */
  async function stageItemless(run: string, sync: string, key: string, cmsId?: number): Promise<boolean> {
    const mayHave =
      cmsId === undefined ? sql<boolean>`cms_id is null` : sql<boolean>`(cms_id is null or cms_id = ${cmsId})`;
    const rows = await stageWhere(run, sync, sql<boolean>`key = ${key} and ${mayHave} and not ${isClaimed(now)}`);
    return rows > 0;
  }

  /** Stages delivered records as updates: attributes that are `UNKNOWN` are delivered again. */
  async function stageAgain(run: string, sync: string, known: readonly KnownContent[]): Promise<void> {
    if (known.length === 0) return;
    const isNamed = isOneOf(
      'key',
      known.map(({ key }) => key),
    );
    // A record that was delivered without a file is staged already.
    await stageWhere(run, sync, sql<boolean>`${isNamed} and not ${isStaged(run)}`);
    await db.transaction().execute(async (transaction) => {
      const before = await all<RecordContents>(
        transaction,
      )`select * from record_contents where sync = ${sync} and ${isNamed}`;
      const byKey = new Map(before.map((row) => [row.key, row]));
      const contents = known.flatMap(({ key, desired, delivered }) => [
        { ...byKey.get(key), payload: JSON.stringify(desired) },
        { payload: JSON.stringify(delivered) },
      ]);
      const ids = await addContents(transaction, contents, { forRows });
      const rows = known.map(({ key, deliveredAttachments, changed }, index) => ({
        ...{ key, wanted: ids[2 * index] ?? null, has: ids[2 * index + 1] ?? null },
        item: itemColumn({ ...itemIn(byKey.get(key)?.item ?? null), deliveredAttachments }),
        changed: JSON.stringify(changed),
      }));
      await changeStaged(transaction, run, rows, forRows);
    });
  }

  function stageWhere(run: string, sync: string, condition: RawBuilder<boolean>): Promise<number> {
    return change(db)`
      insert into staged_changes (
        run, key, op, place, resource, wanted, hash, starts_on, ends_on, changed, password, expects, retries_files
      )
      select ${run}, key, case when not ${isOfSource} then goal when cms_id is null then 'create' else 'update' end, place, resource,
        wanted, ${hashOf('wanted')}, starts_on, ends_on, '[]', (select sealed from passwords where record = records.id), expects,
        case when undelivered_files is not null then case when status = 'delivered' then 'only' else 'also' end end
      from records where sync = ${sync} and ${condition}
    `;
  }

  /** Removes all but these keys from the staged plan. */
  async function keepOnly(run: string, keys: readonly string[]): Promise<void> {
    await change(db)`delete from staged_changes where run = ${run} and not ${isOneOf('key', keys)}`;
  }

  /** Requests a look-up for staged creates that were held because their items may exist. */
  async function lookUpHeld(run: string, sync: string): Promise<void> {
    const isHeld = sql`records.sync = ${sync} and ${isUndelivered} and records.status = 'held'
      and ${hasError('FF_ADOPT_AMBIGUOUS')} and records.knows in ('none', 'refused')
      and ${isStaged(run, sql`op = 'create'`)}`;
    await db.transaction().execute(async (transaction) => {
      await change(transaction)`
        insert into attempts (record, seq, run, begun_at, settled_at, doubt)
        select id, ${nextSeq(sql`records.id`)}, run, ${now}, ${now}, 'elsewhere' from records where ${isHeld}
      `;
      await move(reconsidered, { where: isHeld }).execute(transaction);
    });
  }
}
