import { type RawBuilder, sql } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import { openStatuses } from '../../core/record.ts';
import { isClaimed, isInDoubt } from '../database/conditions.ts';
import { itemIn } from '../database/item-state.ts';
import { pagesByKey } from '../database/queries.ts';
import { reportedError, waitsForAnswer } from '../database/record-error.ts';
import type { LedgerDatabase, RecordContents } from '../database/schema.ts';
import { all } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';
import { type KnownRecord, type KnownRow, knownColumns, withKnown } from '../records/known-record.ts';

/** A record as a verification compares it with its item. */
export type VerifiedRecord = ReturnType<typeof toVerified>;

/** Reads records to compare them with what the CMS has. */
export function createVerifiedRecordStore({ db, now, runtime }: LedgerDatabase) {
  return { ownersOf, recordsOf };

  /** The records that own these items of the CMS, of any sync. */
  function ownersOf(resource: Resource, cmsIds: readonly number[]): Promise<VerifiedRecord[]> {
    return select(sql`resource = ${resource} and ${isOneOf('cms_id', cmsIds)}`);
  }

  /** Reads all records of a sync in pages, in the order of their keys. */
  function recordsOf(sync: string): AsyncGenerator<VerifiedRecord[]> {
    return pagesByKey((after, limit) => select(sql`sync = ${sync} and key > ${after} order by key limit ${limit}`));
  }

  /** @param selection conditions and, perhaps, the order of the rows and how many there are */
  async function select(selection: RawBuilder<unknown>): Promise<VerifiedRecord[]> {
    // A time in the future is from before the clock was set back.
    const rows = await all<Row>(db)`
      select goal, desired, series, slot, ${knownColumns},
        (
          select max(settled_at) from attempts
          where attempts.record = records.id and settled_at <= ${now}
        ) as settled_at,
        case when records.status = 'pending' and (${isClaimed(now)} or exists (
          select 1 from runs where runs.id = records.run and runs.status = 'running' and lease_until >= ${now}
        )) then 1 else 0 end as under_way,
        case when (goal <> 'leave' and not ${waitsForAnswer}) or ${isInDoubt} then 1 else 0 end as is_wanted
      from record_contents as records where ${selection}
    `;
    return (await withKnown(rows, { db, runtime })).map((each) => toVerified(each.row, each.known));
  }
}

type Row = KnownRow &
  Pick<RecordContents, 'goal' | 'desired' | 'series' | 'slot'> & {
    settled_at: number | null;
    under_way: number;
    is_wanted: number;
  };

function toVerified(row: Row, known: KnownRecord) {
  const { isAdopted, madeByCms } = itemIn(row.item);
  const { goal } = row;
  return {
    sync: row.sync,
    key: row.key,
    cmsId: row.cms_id,
    /** The item existed before feedferry knew it. */
    isAdopted,
    action: goal === 'have' || goal === 'leave' ? null : goal,
    desired: JSON.parse(row.desired) as Payload,
    ...(row.series && row.slot ? { occurrence: { series: row.series, slot: row.slot } } : {}),
    attachments: JSON.parse(row.attachments) as StagedAttachment[],
    /** The delivered state. */
    known,
    /** The values that the CMS made of delivered ones, as far as they differ. */
    madeByCms,
    /** End of the last attempt to deliver the record, in ms since 1970 by the ledger's clock. */
    settledAt: row.settled_at ?? 0,
    /** A file of the record could not be read during the delivery. */
    lacksFiles: row.status === 'delivered' && row.undelivered_files !== null,
    /** The CMS does not have the desired state, for another reason than that a person has to be asked first. */
    isUndelivered: row.is_wanted === 1 && openStatuses.some((status) => status === row.status),
    /** The change is held. */
    isHeld: row.status === 'held',
    /** The record is being delivered. */
    isUnderWay: row.under_way === 1,
    ...(row.error !== null && { error: reportedError(row.error) }),
  };
}
