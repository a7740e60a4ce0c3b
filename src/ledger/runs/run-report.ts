import { sql } from 'kysely';
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import { leavesUnsent, type RunCounts, type RunReport, type UndeliveredFileReport, withRest } from '../../core/run.ts';
import { isWithoutFile } from '../database/conditions.ts';
import { titleIn } from '../database/queries.ts';
import { reportedError } from '../database/record-error.ts';
import type { LedgerDatabase, RecordContents, RunRow } from '../database/schema.ts';
import { all, only } from '../database/statements.ts';
import { reportFiles } from '../database/undelivered-files.ts';
import { createRecordStore } from '../records/record-state.ts';
import { countsSoFar } from './finish-run.ts';
import { createRejectionStore, REPORTED } from './rejections.ts';

/** A plan keeps none of its changes, so it cannot be approved. */
const REMEDY_OF_PLAN =
  'A plan cannot be approved, because it keeps none of its changes. Run the sync: `feedferry sync SYNC`. If that run is held, too, its plan waits for a decision.';

const REMEDY_OF_BACKFILL =
  'Run the backfill again with the same dates: `feedferry backfill SYNC --from DATE --to DATE`. What it has delivered is unchanged.';

/** Reports everything that the ledger knows of a run. */
export function createReport(database: LedgerDatabase): (run: string) => Promise<RunReport> {
  const { db } = database;
  const rejections = createRejectionStore(database);
  const records = createRecordStore(database);
  return report;

  async function report(run: string): Promise<RunReport> {
    const row = await only<RunRow>(db)`select * from runs where id = ${run}`;
    const counts = row.status === 'running' ? await countsSoFar(db, row) : (JSON.parse(row.counts) as RunCounts);
    const code = row.error_code;
    // Saves most runs the queries for rejections and problems.
    const isClean = row.status === 'success';
    return {
      run: row.id,
      sync: row.sync,
      status: row.status,
      // An approval continues with the counts of the plan: held changes are only counted here.
      counts: row.status === 'held' ? withRest(counts, 'held') : counts,
      complete: row.complete === 1,
      durationMs: (row.finished_at ?? row.started_at) - row.started_at,
      ...(row.without_files ? { withoutFiles: row.without_files } : {}),
      ...(row.receipt ? { receipt: JSON.parse(row.receipt) } : {}),
      rejections: isClean && counts.skipped === 0 ? [] : await rejectionsOf(row),
      problems: isClean ? [] : await problemsOf(row),
      ...(row.without_files ? { undeliveredFiles: await firstUndeliveredFiles(row.sync, REPORTED, database) } : {}),
      warnings: JSON.parse(row.warnings),
      ...(code ? { error: { code, message: row.error_message ?? '', remedy: remedyOf(row, code) } } : {}),
    };
  }

  function remedyOf({ kind, status }: RunRow, code: ErrorCode): string {
    if (kind === 'backfill' && leavesUnsent(code)) return REMEDY_OF_BACKFILL;
    return kind === 'plan' && status === 'held' ? REMEDY_OF_PLAN : errorTable[code].remedy;
  }

  /** The first rejections without their fields, which may be personal, and with the titles that the ledger knows. */
  async function rejectionsOf({ id, sync }: RunRow): Promise<RunReport['rejections']> {
    const first = await rejections.firstRejections(id, REPORTED);
    const titles = await records.titles(
      sync,
      first.flatMap(({ key }) => key ?? []),
    );
    return first.map(({ fields: _, ...rejection }) => {
      const title = titles.get(rejection.key ?? '');
      return { ...rejection, ...(title !== undefined && { title }) };
    });
  }

  async function problemsOf({ id }: RunRow): Promise<RunReport['problems']> {
    const rows = await all<TitledRow & Pick<RecordContents, 'error'>>(db)`
      select key, resource, desired, delivered, item, error from record_contents
      where run = ${id} and status in ('failed', 'held')
      order by key limit ${REPORTED}
    `;
    return rows.map((row) => ({ key: row.key, ...titleIn(row), ...reportedError(row.error) }));
  }
}

type TitledRow = Pick<RecordContents, 'key' | 'resource' | 'desired' | 'delivered' | 'item'>;

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
  const rows = await all<TitledRow & Pick<RecordContents, 'undelivered_files'>>(db)`
    select key, resource, desired, delivered, item, undelivered_files from record_contents as records
    where sync = ${sync} and ${isWithoutFile}
    order by key ${limit === undefined ? sql`` : sql`limit ${limit}`}
  `;
  return rows.flatMap((row) =>
    reportFiles(row.undelivered_files).map((file) => ({ key: row.key, ...titleIn(row), ...file })),
  );
}
