import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { clean } from '../../core/clean.ts';
import type { Payload } from '../../core/record.ts';
import type { DeliveryOutcome, HistoryTable, LedgerDatabase, LedgerTables } from '../database/schema.ts';

/** Number of attempts that are kept for each record. */
const KEPT = 20;

/** The request that a delivery sent to write a record itself. */
export interface Sent {
  method: 'POST' | 'PATCH' | 'DELETE';
  attributes: string[];
  /** The item before the request: the attributes that were sent; for a delete, all attributes. */
  before?: Payload;
  /** What feedferry had delivered in these attributes, if the item had other values by then. */
  replaced?: Payload;
  /** The values that the CMS made of those sent, if they differ; for a create, all attributes. */
  after?: Payload;
}

export type DeliveryAttempt = ReturnType<typeof toAttempt>;

export function createHistoryStore({ db }: LedgerDatabase) {
  return { attempts, deliveries };

  /** The last attempts to deliver a record, newest first. */
  async function attempts(sync: string, key: string): Promise<DeliveryAttempt[]> {
    return (await rowsOf(sync, key)).map(toAttempt);
  }

  /** The last attempts, each with the values that it replaced and wrote, as far as these are kept. */
  async function deliveries(sync: string, key: string) {
    return (await rowsOf(sync, key)).map((row) => ({
      ...toAttempt(row),
      before: row.before === null ? null : (JSON.parse(row.before) as Payload),
      after: row.after === null ? null : (JSON.parse(row.after) as Payload),
    }));
  }

  function rowsOf(sync: string, key: string): Promise<Array<Selectable<HistoryTable>>> {
    const ofKey = db.selectFrom('history').where(({ and }) => and({ sync, key }));
    return ofKey.selectAll().orderBy('seq', 'desc').limit(KEPT).execute();
  }
}

/** One attempt to deliver a record, and its outcome. */
function toAttempt(row: Selectable<HistoryTable>) {
  return {
    run: row.run,
    /** ISO instant. */
    time: new Date(Number(row.settled_at)).toISOString(),
    outcome: row.outcome,
    /** Absent: no request was sent for the record itself. Names of attributes only: values may be personal. */
    ...(row.method ? { sent: { method: row.method, attributes: JSON.parse(row.attributes ?? '[]') as string[] } } : {}),
    /** Number of files that were uploaded for the record. */
    uploads: row.upload_count,
    ...(row.cms_id === null ? {} : { cmsId: row.cms_id }),
    ...(row.error_code ? { error: { code: row.error_code, reason: row.error_reason ?? '' } } : {}),
  };
}

/** Adds attempts within the transaction that settles them. Only the holder of a claim does so, so attempts never collide. */
export async function addToHistory(
  transaction: Transaction<LedgerTables>,
  entries: ReadonlyArray<Omit<DeliveryAttempt, 'time'> & { sync: string; key: string; sent?: Sent }>,
  { now, forRows }: Pick<LedgerDatabase, 'now' | 'forRows'>,
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ sync, key, run, outcome, sent, uploads, cmsId, error }) => ({
    sync,
    key,
    run,
    outcome,
    method: sent?.method ?? null,
    attributes: sent ? JSON.stringify(sent.attributes) : null,
    upload_count: uploads,
    cms_id: cmsId ?? null,
    before: image(outcome, sent?.before),
    replaced: image(outcome, sent?.replaced),
    after: image(outcome, sent?.after),
    error_code: error?.code ?? null,
    error_reason: error ? clean(error.reason) : null,
  }));
  const insert = (table: RawBuilder<unknown>) => sql`
    insert into history (
      sync, key, seq, run, settled_at, outcome, method, attributes, upload_count, cms_id, before, replaced,
      after, error_code, error_reason
    )
    select entry.sync, entry.key, coalesce(
        (select max(seq) from history where history.sync = entry.sync and history.key = entry.key), 0
      ) + 1,
      run, ${now}, outcome, method, attributes, upload_count, cms_id, before, replaced, after,
      error_code, error_reason
    from ${table} as entry
  `;
  await forRows(transaction, rows, ['upload_count', 'cms_id'], insert);
}

/** Images of changes that had an effect; only these can be undone. */
function image(outcome: DeliveryOutcome, attributes: Payload | undefined): string | null {
  const tookEffect = outcome === 'created' || outcome === 'updated' || outcome === 'removed';
  return tookEffect && attributes && Object.keys(attributes).length > 0 ? JSON.stringify(attributes) : null;
}

/** Deletes old attempts of the records that a run wanted to change. */
export async function trimHistory(db: Kysely<LedgerTables>, run: string): Promise<void> {
  await sql`
    delete from history
    where (sync, key) in (select records.sync, records.key from records where records.run = ${run})
      and seq <= (
        select max(newer.seq) from history as newer where newer.sync = history.sync and newer.key = history.key
      ) - ${KEPT}
  `.execute(db);
}
