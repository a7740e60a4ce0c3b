import { FIRST } from './many-syncs.ts';
import type { SqlClient } from './sql-client.ts';

const DAY_MS = 86_400_000;
/** Copies that one statement writes. */
const STEP = 100;

const OF_SYNC = `sync = '${FIRST}'`;
const own = (column: string) => `nth * (select max(own.${column}) from records as own where own.${OF_SYNC})`;

/** Rows of one sync: how they are found, and what differs in those of its copies; `nth` is a number from 1 on. */
const SYNC_TABLES: Record<string, { where: string; changes: Record<string, string> }> = {
  records: {
    where: OF_SYNC,
    changes: {
      id: `id + ${own('id')}`,
      sync: `sync || '-' || nth`,
      run: `run || '-' || nth`,
      cms_id: `cms_id + ${own('cms_id')}`,
    },
  },
  attempts: {
    where: `record in (select id from records where ${OF_SYNC})`,
    changes: { record: `record + ${own('id')}`, run: `run || '-' || nth`, cms_id: `cms_id + ${own('cms_id')}` },
  },
  runs: { where: OF_SYNC, changes: { id: `id || '-' || nth`, sync: `sync || '-' || nth` } },
  run_totals: { where: OF_SYNC, changes: { sync: `sync || '-' || nth` } },
};
/** The same for earlier runs of one sync, one a day. */
const EARLIER_RUN = {
  id: `id || '-d' || nth`,
  started_at: `started_at - nth * cast(${DAY_MS} as bigint)`,
  finished_at: `finished_at - nth * cast(${DAY_MS} as bigint)`,
};

/**
 * Gives the only sync of a ledger so many runs before its last one, and the ledger so many copies of that sync, as if each had
 * lived through the same. Each run has rejected one record.
 * @param last its last run, which found nothing to change
 */
export async function copyLedger(
  client: SqlClient,
  copies: { syncs: number; runs: number; last: string },
): Promise<void> {
  await copyRows(client, 'runs', EARLIER_RUN, `id = '${copies.last}'`, [1, copies.runs]);
  for (let from = 1; from <= copies.syncs; from += STEP) {
    const range: [number, number] = [from, Math.min(from + STEP - 1, copies.syncs)];
    for (const [table, { where, changes }] of Object.entries(SYNC_TABLES)) {
      await copyRows(client, table, changes, where, range);
    }
  }
  await client.all(`
    insert into rejections (run, seq, place, code, reason, key)
    select id, 1, 'line 71', 'FF_RECORD_DATE', '"2027-02-30" is not a calendar date.', '70' from runs
  `);
}

async function copyRows(
  client: SqlClient,
  table: string,
  changes: Record<string, string>,
  where: string,
  [from, to]: [number, number],
): Promise<void> {
  const [row = {}] = await client.all(`select * from ${table} limit 1`);
  const columns = Object.keys(row);
  if (columns.length === 0 || to < from) return;
  await client.all(`
    insert into ${table} (${columns.join(', ')})
    select ${columns.map((column) => changes[column] ?? column).join(', ')}
    from (with recursive numbers(nth) as (select ${from} union all select nth + 1 from numbers where nth < ${to})
      select nth from numbers) as numbers, ${table}
    where ${where}
  `);
}
