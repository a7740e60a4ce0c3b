import type { LedgerDatabase } from '../../src/ledger/database/schema.ts';

/** Adds what a record wants, and returns its id. */
export async function addContent(db: LedgerDatabase['db'], payload: object): Promise<number> {
  const content = { payload: JSON.stringify(payload), attachments: '[]', hash: 'h' };
  const { id } = await db.insertInto('contents').values(content).returning('id').executeTakeFirstOrThrow();
  return id;
}
