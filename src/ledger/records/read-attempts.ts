import { type QueryExecutorProvider, type Selectable, sql } from 'kysely';
import { payloadIn } from '../database/queries.ts';
import type { AttemptsTable, LedgerDatabase } from '../database/schema.ts';
import type { OpenAttempt } from './open-attempts.ts';

type OpenColumn = 'method' | 'doubt' | 'body' | 'before' | 'settled_at';

interface Name {
  sync: string;
  key: string;
}

/** Reads the open attempts of records, oldest first, by sync and key (see `recordName`). */
export async function readOpenAttempts(
  records: readonly Name[],
  { db, inlineRows }: Pick<LedgerDatabase, 'inlineRows'> & { db: QueryExecutorProvider },
): Promise<Map<string, OpenAttempt[]>> {
  if (records.length === 0) return new Map();
  const names = records.map(({ sync, key }) => ({ sync, key }));
  const { rows } = await sql<Pick<Selectable<AttemptsTable>, 'sync' | 'key' | OpenColumn>>`
    select attempts.sync, attempts.key, method, doubt, body, before, settled_at from ${inlineRows(names)} as wanted cross join attempts
    where attempts.sync = wanted.sync and attempts.key = wanted.key and doubt is not null
    order by seq
  `.execute(db);
  const byName = Map.groupBy(rows, recordName);
  return new Map([...byName].map(([name, open]) => [name, open.map(toOpenAttempt)]));
}

/** Sync and key of a record as one text. */
export function recordName({ sync, key }: Name): string {
  return `${sync}:${key}`;
}

function toOpenAttempt({
  method,
  doubt,
  body,
  before,
  settled_at,
}: Pick<Selectable<AttemptsTable>, OpenColumn>): OpenAttempt {
  const settledAt = settled_at === null ? {} : { settledAt: settled_at };
  return { method, doubt: doubt ?? 'sent', body: payloadIn(body), before: payloadIn(before), ...settledAt };
}
