import { sql } from 'kysely';
import type { LedgerDatabase } from '../database/schema.ts';

/** Runs whose changes are no longer in effect. */
export function createOverwrittenStore({ db }: LedgerDatabase) {
  return { isOverwritten };

  /**
   * Returns whether later runs have changed all items of a run, or have undone its changes: then nothing is left to undo. Later runs
   * that were undone do not count, nor do their undos.
   */
  async function isOverwritten(run: string): Promise<boolean> {
    const hasEffect = sql`outcome in ('created', 'updated', 'removed') and method is not null`;
    const changes = sql`select 1 from attempts as change where run = ${run} and ${hasEffect}`;
    const { rows } = await sql<{ is: boolean | 0 | 1 }>`
      select exists (${changes}) and not exists (${changes} and not exists (
        select 1 from attempts as later join runs on runs.id = later.run
        where later.sync = change.sync and later.key = change.key and later.seq > change.seq and ${hasEffect}
          and later.run <> ${run} and (runs.undoes is null or runs.undoes = ${run})
          and not exists (select 1 from runs as undo where undo.undoes = runs.id)
      )) as "is"
    `.execute(db);
    return Boolean(rows[0]?.is);
  }
}
