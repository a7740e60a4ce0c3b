import { sql, type Transaction } from 'kysely';
import type { Payload } from '../../core/record.ts';
import { groupCommit } from '../database/group-commit.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import { type Call, openCalls } from './opening.ts';
import { deleting, marking, move } from './transitions.ts';

/** A call that is about to be sent for a claimed record. */
export interface Sending extends Call {
  /** Of a mark: the values of its attributes before the item was first marked. */
  attributesBeforeMark?: Payload;
}

/** Has each PATCH and DELETE in the ledger before it may leave the process. */
export function createSendingStore(database: LedgerDatabase) {
  const { db, forRows, runtime } = database;
  const commit = groupCommit(write, runtime);
  return { sending };

  /** Returns false if the record is no longer ours: then nothing may be sent. */
  function sending(record: ClaimedRecord, call: Sending): Promise<boolean> {
    return commit({ record, call });
  }

  function write(group: Array<{ record: ClaimedRecord; call: Sending }>): Promise<boolean[]> {
    return db.transaction().execute(async (transaction) => {
      const ours = await openCalls(transaction, group, database);
      const isOurs = ({ record }: (typeof group)[number]) => ours.has(record.claim + record.key);
      await note(transaction, group.filter(isOurs));
      return group.map(isOurs);
    });
  }

  async function note(transaction: Transaction<LedgerTables>, group: Array<{ record: ClaimedRecord; call: Sending }>) {
    const isNamed = sql`records.sync = named.sync and records.key = named.key`;
    const deletes = group.filter(({ call }) => call.method === 'DELETE');
    await forRows(
      transaction,
      deletes.map(({ record: { sync, key } }) => ({ sync, key })),
      (table) => move(deleting, { from: sql`${table} as named`, where: isNamed }),
    );
    const marks = group.flatMap(({ record: { sync, key }, call: { attributesBeforeMark: attributes } }) => {
      return attributes ? [{ sync, key, attributes: JSON.stringify(attributes) }] : [];
    });
    await forRows(transaction, marks, (table) =>
      move(marking(sql`named.attributes`), { from: sql`${table} as named`, where: isNamed }),
    );
  }
}
