import type { Kysely, Selectable } from 'kysely';
import { payloadIn } from '../database/queries.ts';
import type { AttemptsTable, LedgerTables } from '../database/schema.ts';
import { AFTER_A_LOOK, type OpenAttempt } from './open-attempts.ts';

const columns = ['method', 'doubt', 'body', 'before', 'settled_at', 'error_code'] as const;

/** Reads the open attempts of records, oldest first, by the ids of the records. */
export async function readOpenAttempts(
  records: ReadonlyArray<{ id: number }>,
  db: Kysely<LedgerTables>,
): Promise<Map<number, OpenAttempt[]>> {
  if (records.length === 0) return new Map();
  const ids = records.map(({ id }) => id);
  const ofRecords = db.selectFrom('attempts').select(['record', ...columns]);
  const rows = await ofRecords.where('record', 'in', ids).where('doubt', 'is not', null).orderBy('seq').execute();
  const byRecord = Map.groupBy(rows, ({ record }) => record);
  return new Map([...byRecord].map(([record, open]) => [record, open.map(toOpenAttempt)]));
}

function toOpenAttempt(row: Pick<Selectable<AttemptsTable>, (typeof columns)[number]>): OpenAttempt {
  const { method, doubt, body, before, settled_at, error_code } = row;
  const settledAt = settled_at === null ? {} : { settledAt: settled_at };
  const isSeen = error_code === AFTER_A_LOOK ? { isSeen: true as const } : {};
  return { method, doubt: doubt ?? 'sent', body: payloadIn(body), before: payloadIn(before), ...settledAt, ...isSeen };
}
