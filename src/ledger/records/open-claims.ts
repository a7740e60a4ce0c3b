import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { isOneOf } from '../database/value-lists.ts';
import { openCreates } from './opening.ts';
import { lapsed, move, reconsidered } from './transitions.ts';

type Now = Pick<LedgerDatabase, 'now' | 'lockRows'>;

/** A claim that is in the ledger: its holder has not ended it. */
export interface OpenClaim {
  token: string;
  holder: string;
  until: number;
  hasLapsed: boolean;
  /** The ids of its records, each with what may be sent under the claim. */
  holds: Map<number, 'POST' | ''>;
}

/** Reads the claims that meet a condition. */
export async function readClaims(
  db: Kysely<LedgerTables>,
  condition: RawBuilder<boolean>,
  { now }: Pick<Now, 'now'>,
): Promise<OpenClaim[]> {
  const rows = await db
    .selectFrom('claims')
    .select(['token', 'holder', 'until', sql<string>`cast(holds as text)`.as('holds')])
    .select(sql<number>`case when until < ${now} then 1 else 0 end`.as('lapsed'))
    .where(condition)
    .execute();
  return rows.map(({ holds, lapsed, ...claim }) => {
    const entries = Object.entries<'POST' | ''>(JSON.parse(holds));
    return {
      ...claim,
      hasLapsed: lapsed === 1,
      holds: new Map(entries.map(([id, may]) => [Number(id.slice(1)), may])),
    };
  });
}

/** What a claim holds, as its column has it. */
export function holdsOf(holds: Iterable<readonly [id: number, may: 'POST' | '']>): string {
  return JSON.stringify(Object.fromEntries([...holds].map(([id, may]) => [`r${id}`, may])));
}

/** Takes records off a claim, and ends it if all others are settled. */
export async function leaveClaim(
  transaction: Transaction<LedgerTables>,
  { token, holds }: OpenClaim,
  records: ReadonlySet<number>,
): Promise<void> {
  const left = [...holds].filter(([id]) => !records.has(id));
  const ids = left.map(([id]) => id);
  if ((await endSettled(transaction, token, ids)) || left.length === holds.size) return;
  await transaction
    .updateTable('claims')
    .set({ holds: holdsOf(left) })
    .where('token', '=', token)
    .execute();
}

/** Ends a claim on records that are settled. Returns false if some are not, or if the claim is over. */
export async function endSettled(
  transaction: Transaction<LedgerTables>,
  token: string,
  records: readonly number[],
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from claims where token = ${token} and not exists (
      select 1 from records where ${isOneOf('records.id', records)} and ended_claim is distinct from ${token}
    )
  `.execute(transaction);
  return numAffectedRows > 0n;
}

/** Replays claims that have ended without all results: their creates become attempts, and the rest may be claimed again. */
export async function endClaims(
  transaction: Transaction<LedgerTables>,
  claims: readonly OpenClaim[],
  database: Now,
  columns: (claim: OpenClaim) => Parameters<typeof move>[0] = ({ token, until }) => lapsed(token, until),
): Promise<void> {
  for (const claim of claims) {
    await openCreatesOf(transaction, claim, database);
    const isOpen = sql`ended_claim is distinct from ${claim.token}`;
    await move(columns(claim), { where: sql`${isOneOf('records.id', [...claim.holds.keys()])} and ${isOpen}` }).execute(
      transaction,
    );
    await transaction.deleteFrom('claims').where('token', '=', claim.token).execute();
  }
}

/** Opens the creates of claims that may still get their results: what they have sent is about to be replaced, or counted. */
export async function noteCreates(
  transaction: Transaction<LedgerTables>,
  condition: RawBuilder<boolean>,
  database: Now,
): Promise<void> {
  for (const claim of await readClaims(transaction, condition, database)) {
    const creates = await openCreatesOf(transaction, claim, database);
    if (creates.length > 0)
      await move(reconsidered, { where: sql`${isOneOf('records.id', creates)}` }).execute(transaction);
  }
}

async function openCreatesOf(
  transaction: Transaction<LedgerTables>,
  { token, holds }: OpenClaim,
  { now, lockRows }: Now,
): Promise<number[]> {
  const ids = [...holds.keys()];
  // A settlement that is under way in PostgreSQL comes first.
  await sql`select id from records where ${isOneOf('records.id', ids)} order by id ${lockRows}`.execute(transaction);
  const creates = ids.filter((id) => holds.get(id) === 'POST');
  const isItemless = sql`${isOneOf('records.id', creates)} and cms_id is null`;
  if (creates.length > 0) await openCreates(token, isItemless, now).execute(transaction);
  return creates;
}
