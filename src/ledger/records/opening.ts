import { type QueryExecutorProvider, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Payload } from '../../core/record.ts';
import { groupCommit } from '../database/group-commit.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { isOneOf } from '../database/value-lists.ts';
import type { ClaimedRecord } from './claimed-record.ts';
import { deleting, marking, move } from './transitions.ts';

// A call that writes a record has its row in the ledger before it may leave the process.

/** A call that is about to be sent, and the item before. A create needs none: it is opened with the claim. */
interface Call {
  method: 'PATCH' | 'DELETE';
  /** The attributes of the call; of a delete, null. */
  body: Payload | null;
  /** See `OpenAttempt`. */
  before: Payload | null;
  /** It takes the place of the call that the claim has opened before. */
  isAgain?: boolean;
}

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

/** The number of the next attempt of a record. */
export const nextSeq = (sync: RawBuilder<unknown>, key: RawBuilder<unknown>) => sql`
  coalesce((select max(seq) from attempts as earlier where earlier.sync = ${sync} and earlier.key = ${key}), 0) + 1`;

/** Opens a create for records of a claim. */
export function openCreates(sync: string, claim: string, keys: readonly string[], now: LedgerDatabase['now']) {
  return sql`
    insert into attempts (sync, key, seq, run, claim_token, method, begun_at, doubt)
    select sync, key, ${nextSeq(sql`records.sync`, sql`records.key`)}, run, claim_token, 'POST', ${now}, 'sent'
    from records where records.sync = ${sync} and ${isOneOf('records.key', keys)} and records.claim_token = ${claim}
  `;
}

/**
 * Opens calls, on condition of the claims.
 * @returns claim and key of each record that is still ours: only their calls may be sent
 */
async function openCalls(
  transaction: QueryExecutorProvider,
  calls: ReadonlyArray<{ record: ClaimedRecord; call: Call }>,
  { now, forRows, lockRows }: Pick<LedgerDatabase, 'now' | 'forRows' | 'lockRows'>,
): Promise<Set<string>> {
  // The create that was not sent, because its item was found.
  const replaced = calls.filter(({ record, call }) => record.knows === 'found' || call.isAgain);
  await withdrawAttempts(
    transaction,
    replaced.map(({ record }) => toName(record)),
    { forRows },
  );
  const rows = calls.map(({ record, call: { method, body, before } }) => ({
    ...{ ...toName(record), method },
    body: body && JSON.stringify(body),
    before: before && JSON.stringify(before),
  }));
  const opened = await forRows(
    transaction,
    rows,
    (table) => sql<{ claim_token: string; key: string }>`
      insert into attempts (sync, key, seq, run, claim_token, method, begun_at, doubt, body, before)
      select records.sync, records.key, ${nextSeq(sql`records.sync`, sql`records.key`)}, records.run, records.claim_token,
        call.method, ${now}, 'sent', call.body, call.before
      from ${table} as call cross join records
      where records.sync = call.sync and records.key = call.key
        and records.claim_token = call.claim_token and records.claim_until >= ${now}
      ${lockRows}
      returning claim_token, key
    `,
  );
  return new Set(opened.map(({ claim_token, key }) => claim_token + key));
}

/** Deletes the attempts of claims under which nothing was sent. */
export async function withdrawAttempts(
  transaction: QueryExecutorProvider,
  unsent: ReadonlyArray<{ sync: string; key: string; claim_token: string }>,
  { forRows }: Pick<LedgerDatabase, 'forRows'>,
): Promise<void> {
  await forRows(
    transaction,
    unsent,
    (table) => sql`
      delete from attempts where settled_at is null and (sync, key, claim_token) in (
        select unsent.sync, unsent.key, unsent.claim_token from ${table} as unsent
      )
    `,
  );
}

export function toName({ sync, key, claim }: Pick<ClaimedRecord, 'sync' | 'key' | 'claim'>) {
  return { sync, key, claim_token: claim };
}
