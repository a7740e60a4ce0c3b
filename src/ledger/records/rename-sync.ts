import { type Kysely, sql } from 'kysely';
import { CodedError } from '../../core/errors.ts';
import { isUnderWay, mayHaveItem } from '../database/conditions.ts';
import { hasRows } from '../database/queries.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { forget, move, renamed } from './transitions.ts';

export function createRenameStore({ db }: LedgerDatabase) {
  return { takeOverRecords };

  /**
   * Gives the records of a sync that was renamed, with their histories and runs, to its new name. If both have an item for a
   * key, the record stays with the former name.
   * @throws CodedError FF_RUN_BUSY while a run of the former name is under way
   */
  async function takeOverRecords(former: string, sync: string): Promise<void> {
    if (!(await hasRows(db.selectFrom('records').where('sync', '=', former)))) return;
    await db.transaction().execute(async (transaction) => {
      const run = transaction.selectFrom('runs').where('sync', '=', former);
      if (await hasRows(run.where(isUnderWay))) {
        throw new CodedError('FF_RUN_BUSY', `A run of "${former}", the former name of "${sync}", is under way.`);
      }
      await moveAll(former, sync, transaction);
    });
  }
}

async function moveAll(former: string, sync: string, db: Kysely<LedgerTables>): Promise<void> {
  const itemless = sql`
    select key from records where sync = ${sync} and not ${mayHaveItem}
      and key in (select key from records where sync = ${former})`;
  await sql`delete from attempts where sync = ${sync} and key in (${itemless})`.execute(db);
  await forget(sql`sync = ${sync} and key in (${itemless})`).execute(db);
  const taken = sql`select key from records where sync = ${sync}`;
  const movable = sql`select key from records where sync = ${former} and key not in (${taken})`;
  await sql`update attempts set sync = ${sync} where sync = ${former} and key in (${movable})`.execute(db);
  await move(renamed(sync), { where: sql`sync = ${former} and key not in (${taken})` }).execute(db);
  await db.updateTable('runs').set({ sync }).where('sync', '=', former).execute();
  await sql`
    update answers set sync = ${sync} where sync = ${former} and not exists (
      select 1 from answers as own where own.sync = ${sync} and own.key = answers.key and own.kind = answers.kind
    )
  `.execute(db);
  await sql`
    update backfills set sync = ${sync} where sync = ${former}
      and not exists (select 1 from backfills as own where own.sync = ${sync})
  `.execute(db);
}
