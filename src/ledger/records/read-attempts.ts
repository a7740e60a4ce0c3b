import type { Kysely, Selectable } from 'kysely';
import { payloadIn } from '../database/queries.ts';
import type { AttemptsTable, LedgerTables } from '../database/schema.ts';
import { AFTER_A_LOOK, type OpenAttempt } from './open-attempts.ts';

const columns = ['method', 'doubt', 'body', 'before', 'settled_at', 'error_code'] as const;

interface Name {
  sync: string;
  key: string;
}

/** Reads the open attempts of records, oldest first, by sync and key (see `recordName`). */
export async function readOpenAttempts(
  records: readonly Name[],
  db: Kysely<LedgerTables>,
): Promise<Map<string, OpenAttempt[]>> {
  const bySync = [...Map.groupBy(records, ({ sync }) => sync)].map(([sync, own]) =>
    db
      .selectFrom('attempts')
      .select(['sync', 'key', ...columns])
      .where('sync', '=', sync)
      .where(
        'key',
        'in',
        own.map(({ key }) => key),
      )
      .where('doubt', 'is not', null)
      .orderBy('seq')
      .execute(),
  );
  const rows = (await Promise.all(bySync)).flat();
  const byName = Map.groupBy(rows, recordName);
  return new Map([...byName].map(([name, open]) => [name, open.map(toOpenAttempt)]));
}

/** Sync and key of a record as one text. */
export function recordName({ sync, key }: Name): string {
  return `${sync}:${key}`;
}

function toOpenAttempt(row: Pick<Selectable<AttemptsTable>, (typeof columns)[number]>): OpenAttempt {
  const { method, doubt, body, before, settled_at, error_code } = row;
  const settledAt = settled_at === null ? {} : { settledAt: settled_at };
  const isSeen = error_code === AFTER_A_LOOK ? { isSeen: true as const } : {};
  return { method, doubt: doubt ?? 'sent', body: payloadIn(body), before: payloadIn(before), ...settledAt, ...isSeen };
}
