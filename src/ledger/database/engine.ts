import type { Dialect, Kysely, RawBuilder, Transaction } from 'kysely';
import type { LedgerDatabase, LedgerTables } from './schema.ts';

/** A database of the ledger, before it is open. */
export interface Engine
  extends Pick<LedgerDatabase, 'forRows' | 'lockRows' | 'lockCreates' | 'readAtOnce' | 'findEntries'> {
  dialect: Dialect;
  now: RawBuilder<number>;
  unsynced<Result>(
    db: Kysely<LedgerTables>,
    work: (transaction: Transaction<LedgerTables>) => Promise<Result>,
  ): Promise<Result>;
}
