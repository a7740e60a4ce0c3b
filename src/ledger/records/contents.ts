import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';

/** What is wanted of a record, or what its item has, as JSON. */
interface NewContent {
  payload: string;
  attachments?: string | null | undefined;
  /** Absent: the source has not been read for it. */
  hash?: string | null | undefined;
  series?: string | null | undefined;
  slot?: string | null | undefined;
  given_by?: string | null | undefined;
  days?: string | null | undefined;
}

/** Adds contents, and returns their ids. A row of a plan or a record has to point to each. */
export async function addContents(
  transaction: Transaction<LedgerTables>,
  contents: readonly NewContent[],
  { forRows }: Pick<LedgerDatabase, 'forRows'>,
): Promise<number[]> {
  const rows = contents.map(({ payload, attachments, hash, series, slot, given_by, days }) => {
    return { payload, attachments: attachments ?? '[]', hash, series, slot, given_by, days };
  });
  const insert = (table: RawBuilder<unknown>) => sql<{ id: number }>`
    insert into contents (payload, attachments, hash, series, slot, given_by, days)
    select payload, attachments, hash, series, slot, given_by, days from ${table} as new returning id
  `;
  // Ids grow in the order of the rows.
  return (await forRows(transaction, rows, insert)).map(({ id }) => id).sort((one, other) => one - other);
}
