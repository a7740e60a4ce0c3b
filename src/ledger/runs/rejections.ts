import type { ErrorCode } from '../../core/errors.ts';
import type { Json, Rejection } from '../../core/record.ts';
import type { LedgerDatabase, RejectionsTable } from '../database/schema.ts';

/** Number of rows in memory at a time. */
const PAGE = 500;

/** A rejection as it is stored in the ledger. */
export interface KeptRejection extends Omit<Rejection, 'fields'> {
  /** The fields of the source record, without secrets, with long values truncated. */
  fields?: { [name: string]: Json };
}

export function createRejectionStore({ db }: LedgerDatabase) {
  return { addRejections, rejections, rejectionsOf, firstRejections, countRejections };

  /** @param firstSeq number of rejections that the run already has */
  async function addRejections(run: string, firstSeq: number, rejections: readonly KeptRejection[]): Promise<void> {
    const rows = rejections.map(({ at, code, reason, key, fields }, index) => ({
      run,
      seq: firstSeq + index,
      place: at,
      code,
      reason,
      key: key ?? null,
      fields: fields ? JSON.stringify(fields) : null,
    }));
    for (let start = 0; start < rows.length; start += PAGE) {
      const page = rows.slice(start, start + PAGE);
      await db.insertInto('rejections').values(page).execute();
    }
  }

  /** All rejections of a run in feed order, read in pages. */
  async function* rejections(run: string): AsyncGenerator<KeptRejection> {
    for (let seen = -1; ; ) {
      const rows = await pageOf(run, seen, PAGE);
      yield* rows.map(toRejection);
      seen = rows.at(-1)?.seq ?? seen;
      if (rows.length < PAGE) return;
    }
  }

  /** The first rejections of a record by a run: records that share a key are all rejected. */
  async function rejectionsOf(run: string, key: string, limit: number): Promise<KeptRejection[]> {
    return (await ofRun(run).where('key', '=', key).orderBy('seq').limit(limit).execute()).map(toRejection);
  }

  /** The first rejections of a run. */
  async function firstRejections(run: string, limit: number): Promise<KeptRejection[]> {
    return (await pageOf(run, -1, limit)).map(toRejection);
  }

  /** How many rejections of a run have each code, with the first rejection of each; in feed order. */
  async function countRejections(
    run: string,
  ): Promise<Array<{ code: ErrorCode; total: number; first: KeptRejection }>> {
    const counts = await db
      .selectFrom('rejections')
      .select(({ fn }) => ['code', fn.countAll<number>().as('total'), fn.min('seq').as('seq')])
      .where('run', '=', run)
      .groupBy('code')
      .orderBy('seq')
      .execute();
    const seqs = counts.map(({ seq }) => seq);
    const rows = seqs.length === 0 ? [] : await ofRun(run).where('seq', 'in', seqs).orderBy('seq').execute();
    return rows.map((row, index) => ({
      code: row.code,
      total: counts[index]?.total ?? 0,
      first: toRejection(row),
    }));
  }

  function pageOf(run: string, after: number, limit: number): Promise<RejectionsTable[]> {
    return ofRun(run).where('seq', '>', after).orderBy('seq').limit(limit).execute();
  }

  function ofRun(run: string) {
    return db.selectFrom('rejections').selectAll().where('run', '=', run);
  }
}

function toRejection({ place, code, reason, key, fields }: RejectionsTable): KeptRejection {
  return { at: place, code, reason, ...(key ? { key } : {}), ...(fields ? { fields: JSON.parse(fields) } : {}) };
}
