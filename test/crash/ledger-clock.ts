import { sql } from 'kysely';
import { openDatabase } from '../../src/ledger/database/open.ts';

/** Names of columns that hold ms since 1970. */
const TIME = /(^|_)(at|until|since)$/;
/** A deadlock ends this transaction, not one of feedferry's: it is the first to notice. */
const FIRST_TO_NOTICE_MS = 5;
const DEADLOCK = '40P01';

/**
 * Sets all times in a ledger back by so many ms, as if the clock of its machine had gone forward; back, if `byMs` is negative.
 * The shares of limits keep their times.
 */
export async function turnLedgerClock(options: Parameters<typeof openDatabase>[0], byMs: number): Promise<void> {
  for (;;) {
    try {
      return await turn(options, byMs);
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK) throw error;
    }
  }
}

async function turn(options: Parameters<typeof openDatabase>[0], byMs: number): Promise<void> {
  const { db } = await openDatabase(options);
  try {
    const tables = await db.introspection.getTables();
    await db.transaction().execute(async (transaction) => {
      if (options.databaseUrl)
        await sql`set local deadlock_timeout = ${sql.lit(FIRST_TO_NOTICE_MS)}`.execute(transaction);
      for (const { name, columns } of tables) {
        const times = columns.filter((column) => TIME.test(column.name));
        if (times.length === 0) continue;
        const turned = times.map((column) => sql`${sql.ref(column.name)} = ${sql.ref(column.name)} - ${sql.lit(byMs)}`);
        await sql`update ${sql.table(name)} set ${sql.join(turned)}`.execute(transaction);
      }
    });
  } finally {
    await db.destroy();
  }
}
