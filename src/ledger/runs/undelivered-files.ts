import { sql } from 'kysely';
import type { UndeliveredFileReport } from '../../core/run.ts';
import { isWithoutFile } from '../database/conditions.ts';
import { titleIn } from '../database/queries.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { reportFiles } from '../database/undelivered-files.ts';

export type WithoutFiles = Awaited<ReturnType<ReturnType<typeof createUndeliveredFileStore>['withoutFiles']>>;

/** Reads the records that were delivered without a file that their source has. */
export function createUndeliveredFileStore(database: LedgerDatabase) {
  const { db, forRows } = database;
  return { withoutFiles, countWithoutFiles };

  /**
   * Counts the records of a sync that lack a file, and lists the files of the first of them.
   * @param limit maximum number of listed records; absent: all
   */
  async function withoutFiles(sync: string, limit?: number) {
    const records = (await countWithoutFiles([sync])).get(sync) ?? 0;
    return { records, first: records === 0 ? [] : await firstUndeliveredFiles(sync, limit, database) };
  }

  /** Counts the records of each sync that lack a file; those of other syncs are absent. */
  async function countWithoutFiles(syncs: readonly string[]): Promise<Map<string, number>> {
    const wanted = syncs.map((sync) => ({ sync }));
    const rows = await forRows(db, wanted, (table) => {
      return sql<{ sync: string; records: number }>`
        select wanted.sync, count(*) as records from ${table} as wanted cross join records
        where records.sync = wanted.sync and ${isWithoutFile} group by wanted.sync
      `;
    });
    return new Map(rows.map(({ sync, records }) => [sync, records]));
  }
}

/** The undelivered files of the first records of a sync, in the order of their keys. */
export async function firstUndeliveredFiles(
  sync: string,
  limit: number | undefined,
  { db }: Pick<LedgerDatabase, 'db'>,
): Promise<UndeliveredFileReport[]> {
  const rows = await db
    .selectFrom('records')
    .select(['key', 'resource', 'desired', 'delivered', 'undelivered_files', 'files_retry_at'])
    .where('sync', '=', sync)
    .where(isWithoutFile)
    .orderBy('key')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.flatMap((row) => reportFiles(row).map((file) => ({ key: row.key, ...titleIn(row), ...file })));
}
