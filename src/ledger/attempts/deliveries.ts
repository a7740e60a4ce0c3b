import { type Kysely, sql } from 'kysely';
import type { Payload, RecordStatus } from '../../core/record.ts';
import { payloadIn } from '../database/queries.ts';
import type { AttemptsTable, LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';

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

export function createHistoryStore({ db, now }: LedgerDatabase) {
  return { deliveries };

  /** The last attempts to deliver a record, newest first, each with the values that it replaced and wrote, as far as these are kept. */
  async function deliveries(sync: string, key: string) {
    // An attempt that is under way has no outcome either.
    const rows = await all<AttemptsTable>(db)`
      select attempts.* from records join attempts on attempts.record = records.id
      where sync = ${sync} and key = ${key} and (attempts.outcome is not null or (doubt = 'sent' and not (
        attempts.settled_at is null
        and exists (select 1 from claims where claims.token = attempts.claim_token and claims.until >= ${now})
      )))
      order by seq desc limit ${KEPT}
    `;
    return rows.map((row) => ({ ...toAttempt(row), before: payloadIn(row.before), after: payloadIn(row.after) }));
  }
}

/** One attempt to deliver a record, and its outcome. */
function toAttempt(row: AttemptsTable) {
  return {
    run: row.run,
    /** ISO instant. */
    time: new Date(row.settled_at ?? row.begun_at).toISOString(),
    outcome: row.outcome ?? ('unanswered' as const),
    /** Absent: no request was sent for the record itself. Names of attributes only: values may be personal. */
    ...(row.method ? { sent: { method: row.method, attributes: JSON.parse(row.attributes ?? '[]') as string[] } } : {}),
    /** Number of files that were uploaded for the record. */
    uploads: row.upload_count,
    ...(row.cms_id === null ? {} : { cmsId: row.cms_id }),
    ...(row.error_code ? { error: { code: row.error_code, reason: row.error_reason ?? '' } } : {}),
  };
}

/** Of records that are delivered: what the run that wanted it has done. */
export const lastOutcome = sql<'created' | 'updated' | 'unchanged' | null>`case when status = 'delivered' then (
  select outcome from attempts where attempts.record = records.id and attempts.run = records.run and outcome is not null
  order by seq desc limit 1
) end`;

const outcomes = {
  pending: undefined,
  delivered: 'unchanged',
  failed: 'failed',
  held: 'held',
  deleted: 'skipped',
  removed: 'removed',
} as const satisfies Record<RecordStatus, string | undefined>;

/** What was done with a record last; undefined: it is not settled. */
export function outcomeOf({
  status,
  last,
}: {
  status: RecordStatus;
  last: 'created' | 'updated' | 'unchanged' | null;
}) {
  return last ?? outcomes[status];
}

/** Deletes old attempts of the records that a run wanted to change. */
export async function trimHistory(db: Kysely<LedgerTables>, run: string): Promise<void> {
  await change(db)`
    delete from attempts
    where record in (select id from records where records.run = ${run})
      and doubt is null and seq <= (select max(newer.seq) from attempts as newer where newer.record = attempts.record) - ${KEPT}
  `;
}
