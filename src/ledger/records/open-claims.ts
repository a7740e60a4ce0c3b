import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { ClaimsTable, LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { openCreates } from './opening.ts';
import { lapsed, move, reconsidered } from './transitions.ts';

type Now = Pick<LedgerDatabase, 'now' | 'lockRows'>;
type Columns = Parameters<typeof move>[0];

/** A claim that is in the ledger: its holder has not ended it. */
export interface OpenClaim {
  token: string;
  holder: string;
  until: number;
  hasLapsed: boolean;
  /** The ids of its records. */
  holds: number[];
  /** Those of them for which a create may be sent. */
  creates: number[];
}

/** Reads the claims that meet a condition. */
export async function readClaims(
  db: Kysely<LedgerTables>,
  condition: RawBuilder<boolean>,
  { now }: Pick<Now, 'now'>,
): Promise<OpenClaim[]> {
  const rows = await all<Pick<ClaimsTable, 'token' | 'holder' | 'until' | 'holds' | 'creates'> & { lapsed: number }>(
    db,
  )`
    select token, holder, until, holds, creates, case when until < ${now} then 1 else 0 end as lapsed
    from claims where ${condition}
  `;
  const parse = (ids: string) => ids.split(' ').filter(Boolean).map(Number);
  return rows.map(({ holds, creates, lapsed, ...claim }) => {
    return { ...claim, hasLapsed: lapsed === 1, holds: parse(holds), creates: parse(creates) };
  });
}

/** A list of ids, as the columns of a claim have it. */
export function listOf(ids: readonly number[]): string {
  return ids.map((id) => ` ${id} `).join('');
}

/** Takes records off a claim, and ends it if all others are settled. */
export async function leaveClaim(
  transaction: Transaction<LedgerTables>,
  { token, holds, creates }: OpenClaim,
  records: ReadonlySet<number>,
): Promise<void> {
  const left = holds.filter((id) => !records.has(id));
  if ((await endSettled(transaction, token, left)) || left.length === holds.length) return;
  const leftCreates = creates.filter((id) => !records.has(id));
  await change(transaction)`
    update claims set holds = ${listOf(left)}, creates = ${listOf(leftCreates)} where token = ${token}
  `;
}

/** Ends a claim on records that are settled. Returns false if some are not, or if the claim is over. */
export async function endSettled(
  transaction: Transaction<LedgerTables>,
  token: string,
  records: readonly number[],
): Promise<boolean> {
  const ended = await change(transaction)`
    delete from claims where token = ${token} and not exists (
      select 1 from records where ${isOneOf('records.id', records)} and ended_claim is distinct from ${token}
    )
  `;
  return ended > 0;
}

/** Replays claims that have ended without all results: their creates become attempts, and the rest may be claimed again. */
export async function endClaims(
  transaction: Transaction<LedgerTables>,
  claims: readonly OpenClaim[],
  database: Now,
  columns: (claim: OpenClaim) => Columns = ({ token, until }) => lapsed(token, until),
): Promise<void> {
  await noteCreates(transaction, claims, database, columns);
  const tokens = claims.map(({ token }) => token);
  await change(transaction)`delete from claims where ${isOneOf('token', tokens)}`;
}

/** Opens the creates of claims that may still get their results: what they have sent is about to be replaced. */
export async function noteCreates(
  transaction: Transaction<LedgerTables>,
  claims: readonly OpenClaim[],
  { now, lockRows }: Now,
  columns: (claim: OpenClaim) => Columns = () => reconsidered,
): Promise<void> {
  for (const { token, holds } of claims) {
    const isHeld = sql`${isOneOf('records.id', holds)} and ended_claim is distinct from ${token}`;
    // A settlement or release that is under way in PostgreSQL comes first, and may end the claim.
    await sql`select id from records where ${isHeld} order by id ${lockRows}`.execute(transaction);
    const [claim] = await readClaims(transaction, sql`token = ${token}`, { now });
    if (!claim) continue;
    await openCreates(token, sql`${isOneOf('records.id', claim.creates)} and cms_id is null`, now).execute(transaction);
    await move(columns(claim), { where: isHeld }).execute(transaction);
  }
}
