import { sql } from 'kysely';
import type { LedgerDatabase } from '../database/schema.ts';

/** Work that one of all processes does now and then. */
export function createTurnStore({ db, now }: LedgerDatabase) {
  return { takeTurn, returnTurn, lastTurn };

  /** Takes the turn of a task for all processes; false if any process took it within the last `everyMs`. */
  async function takeTurn(task: string, everyMs: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('housekeeping')
      .values({ task, begun_at: now })
      .onConflict((conflict) =>
        conflict
          .column('task')
          .doUpdateSet({ begun_at: now })
          .where('housekeeping.begun_at', '<=', sql<number>`${now} - ${everyMs}`),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows > 0n;
  }

  /** When a process last took the turn of a task, in ms since 1970; undefined: none ever did. */
  async function lastTurn(task: string): Promise<number | undefined> {
    const row = await db.selectFrom('housekeeping').select('begun_at').where('task', '=', task).executeTakeFirst();
    return row?.begun_at;
  }

  /** Lets the next process take the turn at once. */
  async function returnTurn(task: string): Promise<void> {
    await db.deleteFrom('housekeeping').where('task', '=', task).execute();
  }
}
