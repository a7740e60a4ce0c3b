import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Payload } from '../../core/record.ts';
import { isOurs } from '../database/conditions.ts';
import { groupCommit } from '../database/group-commit.ts';
import { payloadIn } from '../database/queries.ts';
import type { AttemptsTable, LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { all } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { type ClaimedRecord, itemColumnOf, type KnownItem } from './claimed-record.ts';
import { AFTER_A_LOOK, type OpenAttempt, TEMPORARY } from './open-attempts.ts';
import { deleting, marking, move } from './transitions.ts';

// A PATCH or DELETE has its row in the ledger before it may leave the process. For a create, the claim is enough.

/** A call that is about to be sent, and the item before. */
interface Call {
  method: 'PATCH' | 'DELETE';
  /** The attributes of the call; of a delete, null. */
  body: Payload | null;
  /** See `OpenAttempt`. */
  before: Payload | null;
  /** It takes the place of the call that was opened under the claim before. */
  isAgain?: boolean;
}

/** A call that is about to be sent for a claimed record. */
export interface Sending extends Call {
  /** Of a mark: what is remembered of the item since, with the values of its attributes before it was first marked. */
  marked?: KnownItem | undefined;
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
      const isOurs = ({ record }: (typeof group)[number]) => ours.has(record.claim + record.id);
      await note(transaction, group.filter(isOurs));
      return group.map(isOurs);
    });
  }

  async function note(transaction: Transaction<LedgerTables>, group: Array<{ record: ClaimedRecord; call: Sending }>) {
    const isNamed = sql`records.id = named.record`;
    const deletes = group.filter(({ call }) => call.method === 'DELETE');
    await forRows(
      transaction,
      deletes.map(({ record }) => ({ record: record.id })),
      (table) => move(deleting, { from: sql`${table} as named`, where: isNamed }),
      ['record'],
    );
    const marks = group.flatMap(({ record, call: { marked } }) => {
      return marked ? [{ record: record.id, item: itemColumnOf(marked) }] : [];
    });
    const mark = (table: RawBuilder<unknown>) =>
      move(marking(sql`named.item`), { from: sql`${table} as named`, where: isNamed });
    await forRows(transaction, marks, mark, ['record']);
  }
}

/** The number of the next attempt of a record. */
export const nextSeq = (record: RawBuilder<unknown>) => sql`
  coalesce((select max(seq) from attempts as earlier where earlier.record = ${record}), 0) + 1`;

/**
 * Opens the creates that may have been sent under a claim without a result, unless they are open already.
 * @param where the condition that their records meet
 */
export function openCreates(claim: string, where: RawBuilder<unknown>, now: LedgerDatabase['now']) {
  return sql`
    insert into attempts (record, seq, run, claim_token, method, begun_at, doubt)
    select id, ${nextSeq(sql`records.id`)}, run, ${claim}, 'POST', ${now}, 'sent'
    from records where ${where} and ended_claim is distinct from ${claim}
      and not exists (select 1 from attempts where attempts.record = records.id and attempts.claim_token = ${claim})
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
  // The create that a plan has opened, and that was not sent, because its item was found.
  const replaced = calls.filter(({ record, call }) => record.knows === 'found' || call.isAgain);
  await withdrawAttempts(
    transaction,
    replaced.map(({ record }) => toClaim(record)),
    { forRows },
  );
  const rows = calls.map(({ record, call: { method, body, before } }) => ({
    ...{ ...toClaim(record), method },
    body: body && JSON.stringify(body),
    before: before && JSON.stringify(before),
  }));
  const opened = await forRows(
    transaction,
    rows,
    (table) => sql<{ claim_token: string; record: number }>`
      insert into attempts (record, seq, run, claim_token, method, begun_at, doubt, body, before)
      select records.id, ${nextSeq(sql`records.id`)}, records.run, call.claim_token,
        call.method, ${now}, 'sent', call.body, call.before
      from ${table} as call cross join records
      where records.id = call.record and ${isOurs(sql`call.claim_token`, now)}
      ${lockRows}
      returning claim_token, record
    `,
    ['record'],
  );
  return new Set(opened.map(({ claim_token, record }) => claim_token + record));
}

/** Deletes the attempts of claims under which nothing was sent. */
export async function withdrawAttempts(
  transaction: QueryExecutorProvider,
  unsent: ReadonlyArray<{ record: number; claim_token: string }>,
  { forRows }: Pick<LedgerDatabase, 'forRows'>,
): Promise<void> {
  await forRows(
    transaction,
    unsent,
    (table) => sql`
      delete from attempts where settled_at is null and (record, claim_token) in (
        select unsent.record, unsent.claim_token from ${table} as unsent
      )
    `,
    ['record'],
  );
}

/** What names the attempts of a claim on a record. */
export function toClaim({ id, claim }: Pick<ClaimedRecord, 'id' | 'claim'>) {
  return { record: id, claim_token: claim };
}

type OpenColumns = 'record' | 'method' | 'doubt' | 'body' | 'before' | 'settled_at' | 'error_code';
type OpenRow = Pick<AttemptsTable, OpenColumns>;

/** Reads the open attempts of records, oldest first, by the ids of the records. */
export async function readOpenAttempts(
  records: ReadonlyArray<{ id: number }>,
  db: Kysely<LedgerTables>,
): Promise<Map<number, OpenAttempt[]>> {
  if (records.length === 0) return new Map();
  const ids = records.map(({ id }) => id);
  const rows = await all<OpenRow>(db)`
    select record, method, doubt, body, before, settled_at, error_code from attempts
    where ${isOneOf('record', ids)} and doubt is not null order by seq
  `;
  const byRecord = Map.groupBy(rows, ({ record }) => record);
  return new Map([...byRecord].map(([record, open]) => [record, open.map(toOpenAttempt)]));
}

function toOpenAttempt(row: OpenRow): OpenAttempt {
  const { method, doubt, body, before, settled_at, error_code } = row;
  const settledAt = settled_at === null ? {} : { settledAt: settled_at };
  const isSeen = error_code === AFTER_A_LOOK ? { isSeen: true as const } : {};
  const isTemporary = TEMPORARY.has(error_code) ? { isTemporary: true as const } : {};
  const sent = { method, doubt: doubt ?? 'sent', body: payloadIn(body), before: payloadIn(before) };
  return { ...sent, ...settledAt, ...isSeen, ...isTemporary };
}
