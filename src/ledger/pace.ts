import { sql } from 'kysely';
import type { LedgerDatabase } from './schema.ts';

export interface PaceStore {
  /**
   * Takes the next free slot of a destination, `intervalMs` after the last one taken by any process.
   * Answers how long to wait for it, in ms.
   */
  reserve(destination: string, intervalMs: number): Promise<number>;
}

export function createPaceStore({ db, now }: LedgerDatabase): PaceStore {
  return {
    async reserve(destination, intervalMs) {
      const interval = Math.ceil(intervalMs);
      const row = await db
        .insertInto('paces')
        .values({ destination, next_at: sql<number>`${now} + ${interval}` })
        .onConflict((conflict) =>
          conflict.column('destination').doUpdateSet({
            next_at: sql<number>`case when paces.next_at > ${now} then paces.next_at else ${now} end + ${interval}`,
          }),
        )
        .returning(['next_at', now.as('now')])
        .executeTakeFirstOrThrow();
      return Math.max(0, row.next_at - interval - Number(row.now));
    },
  };
}
