import { type Kysely, type RawBuilder, sql } from 'kysely';
import { CodedError } from '../../core/errors.ts';
import { isUnderWay, mayHaveItem } from '../database/conditions.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { change, exists } from '../database/statements.ts';
import { followRename } from './followers.ts';
import { noteCreates, readClaims } from './open-claims.ts';
import { forget, move, renamed } from './transitions.ts';

export function createRenameStore(database: LedgerDatabase) {
  const { db } = database;
  return { takeOverRecords, hasToTakeOver };

  /** Whether the next run would give records of a former name to a sync. */
  function hasToTakeOver(former: string, sync: string, prefix = ''): Promise<boolean> {
    return exists(db)`
      select 1 from records where sync = ${former} and cast(${prefix} as text) || key not in (
        select key from records where sync = ${sync} and ${mayHaveItem}
      )
    `;
  }

  /**
   * Gives the records of a sync that was renamed, with their histories and runs, to its new name. If both have an item for a
   * key, the record stays with the former name.
   * @param prefix what stands before their keys since: the former sync has become a source of the new one
   * @throws CodedError FF_RUN_BUSY while a run of the former name is under way
   */
  async function takeOverRecords(former: string, sync: string, prefix = ''): Promise<void> {
    if (!(await exists(db)`select 1 from records where sync = ${former}`)) return;
    await db.transaction().execute(async (transaction) => {
      if (await exists(transaction)`select 1 from runs where sync = ${former} and ${isUnderWay}`) {
        throw new CodedError('FF_RUN_BUSY', `A run of "${former}", the former name of "${sync}", is under way.`);
      }
      await noteCreates(transaction, await readClaims(transaction, sql`sync = ${former}`, database), database);
      await moveAll({ former, sync, prefix }, transaction);
    });
  }
}

interface Renaming {
  former: string;
  sync: string;
  prefix: string;
}

async function moveAll({ former, sync, prefix }: Renaming, db: Kysely<LedgerTables>): Promise<void> {
  const before = sql`cast(${prefix} as text)`;
  const newKey = sql`${before} || key`;
  const itemless = sql`
    select key from records where sync = ${sync} and not ${mayHaveItem}
      and key in (select ${newKey} from records where sync = ${former})`;
  await forget(sql`sync = ${sync} and key in (${itemless})`).execute(db);
  const taken = sql`select key from records where sync = ${sync}`;
  const isFree = sql`sync = ${former} and ${newKey} not in (${taken})`;
  if (prefix !== '') {
    const freed = sql`select id from records where ${isFree}`;
    await change(db)`update former_keys set key = ${before} || key where record in (${freed})`;
    await renameInRuns(former, before, db);
  }
  await move(renamed(sync, prefix), { where: isFree }).execute(db);
  await change(db)`update runs set sync = ${sync} where sync = ${former}`;
  await change(db)`update claims set sync = ${sync} where sync = ${former}`;
  await followRename(db, { former, sync, prefix });
}

/** Renames the keys in what the runs of a sync have found: their rejects, and the plans that wait for an approval. */
async function renameInRuns(former: string, before: RawBuilder<unknown>, db: Kysely<LedgerTables>): Promise<void> {
  const runs = sql`select id from runs where sync = ${former}`;
  await change(db)`update rejections set key = ${before} || key where run in (${runs})`;
  await change(db)`
    update staged_changes set key = ${before} || key, previous_key = ${before} || previous_key where run in (${runs})
  `;
}
