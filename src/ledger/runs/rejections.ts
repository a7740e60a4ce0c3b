import { type RawBuilder, sql } from 'kysely';
import type { ErrorCode } from '../../core/errors.ts';
import type { Json, Rejection } from '../../core/record.ts';
import { pagesAfter } from '../database/queries.ts';
import type { LedgerDatabase, RejectionsTable } from '../database/schema.ts';
import { all } from '../database/statements.ts';

/** How many rejections, problems and warnings a report names. */
export const REPORTED = 1000;

/** A rejection as it is stored in the ledger. */
export interface KeptRejection extends Omit<Rejection, 'fields'> {
  /** The fields of the source record, without secrets, with long values truncated. */
  fields?: { [name: string]: Json };
}

export function createRejectionStore({ db, forRows }: LedgerDatabase) {
  return { addRejections, rejections, firstRejections, countRejections };

  /** @param firstSeq number of rejections that the run already has */
  async function addRejections(run: string, firstSeq: number, rejections: readonly KeptRejection[]): Promise<void> {
    const rows = rejections.map(({ at: place, code, reason, key, fields }, index) => {
      return { run, seq: firstSeq + index, place, code, reason, key, fields: fields && JSON.stringify(fields) };
    });
    const insert = (table: RawBuilder<unknown>) => sql`
      insert into rejections (run, seq, place, code, reason, key, fields)
      select run, seq, place, code, reason, key, fields from ${table} as rejected`;
    await forRows(db, rows, insert, ['seq'], { isNarrow: true });
  }

  /** All rejections of a run in feed order, read in pages. */
  async function* rejections(run: string): AsyncGenerator<KeptRejection> {
    const read = ({ seq }: { seq: number }, limit: number) => all<RejectionsTable>(db)`
      select * from rejections where run = ${run} and seq > ${seq} order by seq limit ${limit}
    `;
    for await (const rows of pagesAfter({ seq: -1 }, read)) yield* rows.map(toRejection);
  }

  /** The first rejections of a run, or of one record by it: records that share a key are all rejected. */
  async function firstRejections(run: string, limit: number, key?: string): Promise<KeptRejection[]> {
    const rows = await all<RejectionsTable>(db)`
      select * from rejections where run = ${run} ${key === undefined ? sql`` : sql`and key = ${key}`}
      order by seq limit ${limit}
    `;
    return rows.map(toRejection);
  }

  /** How many rejections of a run have each code, with the first rejection of each; in feed order. */
  async function countRejections(
    run: string,
  ): Promise<Array<{ code: ErrorCode; total: number; first: KeptRejection }>> {
    const rows = await all<RejectionsTable & { total: number }>(db)`
      select rejections.*, total
      from (select min(seq) as seq, count(*) as total from rejections where run = ${run} group by code) as firsts
        join rejections on rejections.run = ${run} and rejections.seq = firsts.seq
      order by rejections.seq
    `;
    return rows.map(({ total, ...row }) => ({ code: row.code, total, first: toRejection(row) }));
  }
}

function toRejection({ place, code, reason, key, fields }: RejectionsTable): KeptRejection {
  return { at: place, code, reason, ...(key ? { key } : {}), ...(fields ? { fields: JSON.parse(fields) } : {}) };
}
