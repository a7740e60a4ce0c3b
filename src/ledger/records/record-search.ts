import { type RawBuilder, type Selectable, sql } from 'kysely';
import { openStatuses, type RecordStatus } from '../../core/record.ts';
import type { SearchTerm } from '../../core/text/search-terms.ts';
import { isInDoubt, isUndelivered } from '../database/conditions.ts';
import { deliveredIn } from '../database/item-state.ts';
import { wantedIn } from '../database/queries.ts';
import { reportedError } from '../database/record-error.ts';
import type { LedgerDatabase, RecordContents } from '../database/schema.ts';
import { all } from '../database/statements.ts';
import { reportFiles } from '../database/undelivered-files.ts';

/** A record in a list. */
export type ListedRecord = ReturnType<typeof toListed>;

/** The name of a record. */
export interface RecordName {
  sync: string;
  key: string;
}

/** Which records are listed. */
export interface RecordList {
  sync?: string;
  status?: RecordStatus;
  after?: RecordName;
  limit: number;
}

/** The number of undelivered records by state. */
export type UndeliveredCounts = Record<(typeof openStatuses)[number], number>;

const LISTED = [
  ...(['sync', 'key', 'resource', 'goal', 'desired', 'delivered', 'status', 'cms_id', 'starts_on'] as const),
  ...(['delivered_at', 'missing_since', 'item', 'error', 'undelivered_files'] as const),
] satisfies Array<keyof RecordContents>;
const columns = sql.join(LISTED.map((column) => sql.ref(`records.${column}`)));

/** Reads records in parts, so that each statement is quick whatever the size of the ledger. */
export function createRecordSearch({ db, forRows, findEntries }: LedgerDatabase) {
  return { listed, withItems, withWords, statesOf, named, withCmsId, countUndelivered };

  /** The next records of a sync, or of all syncs, in the order of syncs and keys. @param list.status only those in this state, not 'delivered' */
  function listed({ sync, status, after, limit }: RecordList) {
    const { sync: place, key } = after ?? {};
    const isNext = sync === undefined ? sql`(sync, key) > (${place}, ${key})` : sql`key > ${key}`;
    const conditions = [
      ...[sql`1 = 1`, ...(sync === undefined ? [] : [sql`sync = ${sync}`]), ...(after ? [isNext] : [])],
      ...(status === undefined ? [] : [sql`status = ${status}`, isUndelivered]),
    ];
    return select(sql`${sql.join(conditions, sql` and `)} order by sync, key limit ${limit}`);
  }

  /** What the items of a sync have, in the order of the keys. */
  async function withItems(sync: string, after: string, limit: number) {
    const rows = await all<ListedRow>(db)`
      select ${columns} from record_contents as records
      where sync = ${sync} and key > ${after} and cms_id is not null order by key limit ${limit}
    `;
    return rows.map((row) => ({ ...toListed(row), delivered: deliveredIn(row) ?? {} }));
  }

  /**
   * The next records that have all terms, with the position from which the search continues.
   * @param after position of the page before
   * @returns `next` is absent after the last record
   */
  async function withWords(terms: readonly SearchTerm[], { after, limit }: { after: number; limit: number }) {
    const ids = await findEntries(db, { terms, after, limit });
    const found = (table: RawBuilder<unknown>) => sql<ListedRow & { id: number }>`
      select records.id, ${columns} from ${table} as wanted cross join record_contents as records where records.id = wanted.id
    `;
    const wanted = ids.map((id) => ({ id }));
    const rows = await forRows(db, wanted, found, ['id']);
    const sorted = rows.toSorted((one, other) => one.id - other.id);
    return { rows: sorted.map((row) => ({ id: row.id, record: toListed(row) })), next: ids[limit - 1] };
  }

  /** Which of these states other than 'delivered' the records of these syncs have. */
  function statesOf(syncs: readonly string[], states: readonly RecordStatus[]) {
    const wanted = syncs.flatMap((sync) => states.map((status) => ({ sync, status })));
    return forRows(db, wanted, (table) => {
      return sql<(typeof wanted)[number]>`
        select wanted.sync, wanted.status from ${table} as wanted where exists (
          select 1 from records
          where records.sync = wanted.sync and records.status = wanted.status and ${isUndelivered}
        )
      `;
    });
  }

  /** The records of these syncs that have a key. */
  async function named(syncs: readonly string[], key: string): Promise<ListedRecord[]> {
    const wanted = syncs.map((sync) => ({ sync, key }));
    const rows = await forRows(db, wanted, (table) => {
      return sql<ListedRow>`
        select ${columns} from ${table} as wanted cross join record_contents as records
        where records.sync = wanted.sync and records.key = wanted.key
      `;
    });
    return rows.map(toListed);
  }

  /** The records that own an item of the CMS. */
  function withCmsId(cmsId: number): Promise<ListedRecord[]> {
    return select(sql`resource in ('events', 'accounts') and cms_id = ${cmsId} order by sync`);
  }

  /** @param selection conditions, the order of the records and how many there are */
  async function select(selection: RawBuilder<unknown>): Promise<ListedRecord[]> {
    const rows = await all<ListedRow>(db)`select ${columns} from record_contents as records where ${selection}`;
    return rows.map(toListed);
  }

  /**
   * Counts the undelivered records of each sync, as `undelivered` does.
   * @param most maximum for each sync and state; further records are not counted
   */
  async function countUndelivered(syncs: readonly string[], most: number): Promise<Map<string, UndeliveredCounts>> {
    const wanted = syncs.flatMap((sync) => openStatuses.map((status) => ({ sync, status })));
    const rows = await forRows(db, wanted, (table) => {
      return sql<(typeof wanted)[number] & { records: number }>`
        select wanted.sync, wanted.status, (
          select count(*) from (
            select 1 from records
            where records.sync = wanted.sync and records.status = wanted.status and ${isUndelivered}
              and (records.goal <> 'leave' or ${isInDoubt})
            limit ${sql.lit(most)}
          ) as counted
        ) as records
        from ${table} as wanted
      `;
    });
    const counts = new Map(syncs.map((sync) => [sync, { pending: 0, failed: 0, held: 0 }]));
    for (const { sync, status, records } of rows) {
      const ofSync = counts.get(sync);
      if (ofSync) ofSync[status] = records;
    }
    return counts;
  }
}

type ListedRow = Pick<Selectable<RecordContents>, (typeof LISTED)[number]>;

function toListed(row: ListedRow) {
  return {
    sync: row.sync,
    key: row.key,
    resource: row.resource,
    payload: wantedIn(row),
    status: row.status,
    cmsId: row.cms_id,
    startsOn: row.starts_on ?? undefined,
    /** ISO instants. */
    deliveredAt: toIso(row.delivered_at),
    missingSince: toIso(row.missing_since),
    error: row.error === null ? undefined : reportedError(row.error),
    /** The files that it was delivered without; absent: none. */
    undeliveredFiles: row.undelivered_files === null ? undefined : reportFiles(row.undelivered_files),
  };
}

function toIso(ms: number | null): string | undefined {
  return ms === null ? undefined : new Date(ms).toISOString();
}
