import { sql } from 'kysely';
import { expect } from 'vitest';
import { thisMachine } from '../../../../src/core/runtime/process-name.ts';
import { isBeingCreated, isOpenClaim } from '../../../../src/ledger/database/conditions.ts';
import { deliveredIn } from '../../../../src/ledger/database/item-state.ts';
import type { AttemptsTable, LedgerDatabase, RecordContents } from '../../../../src/ledger/database/schema.ts';
import type { Ledger } from '../../../../src/ledger/ledger.ts';
import type { ClaimedRecord } from '../../../../src/ledger/records/claimed-record.ts';
import { createListCms } from './list-cms.ts';
import { keep, lookUp, send, type Target } from './protocol.ts';
import type { Attempt, Row } from './row.ts';

/** Far longer than a test lasts: a lease lapses when a test says so. */
export const LEASE_MS = 600_000;

/** How a process is called that runs no more: its id is in use by another one, this one. */
const GONE = `${thisMachine}/${process.pid}/gone`;

/** The records of one sync, in a ledger that two processes have open, and the CMS that they belong to. */
export interface LedgerSite extends Target {
  readonly sync: string;
  /** Workers share processes: each process has its own connection. */
  ledgerOf(worker: number): Ledger;
  /** Ends the run under way, and begins one that wants these versions. */
  plan(versions: ReadonlyMap<string, number>): Promise<void>;
  /** Lets the leases of claims lapse. */
  lapse(claims: readonly string[]): Promise<void>;
  /** Leaves but half of their time to the leases of claims. */
  age(claims: readonly string[]): Promise<void>;
  /** Makes it look as though the process that holds the claims were gone. */
  abandon(claims: readonly string[]): Promise<void>;
  /** Frees what gone processes hold. */
  releaseGone(): Promise<void>;
  /** Lets the pauses of all records end. */
  wait(): Promise<void>;
  rows(): Promise<Row[]>;
  /** When all workers are gone, and all leases and pauses have ended: a new run and a new worker deliver everything. */
  converge(versions: ReadonlyMap<string, number>): Promise<void>;
}

export function createLedgerSite(
  { db, now }: LedgerDatabase,
  ledgers: readonly [Ledger, Ledger],
  { sync, recreate }: { sync: string; recreate: boolean },
): LedgerSite {
  const [ledger] = ledgers;
  const cms = createListCms();
  let run: string | undefined;
  return { sync, cms, recreate, ledgerOf, plan, lapse, age, abandon, releaseGone, wait, rows, converge };

  function ledgerOf(worker: number): Ledger {
    return ledgers[worker % 2 === 0 ? 0 : 1];
  }

  async function plan(versions: ReadonlyMap<string, number>): Promise<void> {
    if (run !== undefined) await ledger.runs.finish(run);
    const next = await ledger.runs.begin(sync, 'run');
    run = next;
    const known = await ledger.plans.known(sync, [...versions.keys()]);
    await ledger.plans.add(
      [...versions].map(([key, version]) => ({
        run: next,
        key,
        op: (known.get(key)?.cmsId ?? null) === null ? 'create' : 'update',
        place: key,
        resource: 'events',
        desired: JSON.stringify({ version }),
        attachments: '[]',
        hash: `version ${version}`,
        changed: '["version"]',
      })),
    );
    await ledger.plans.apply(next, sync);
  }

  async function lapse(claims: readonly string[]): Promise<void> {
    await claimed(claims)
      .set({ until: inMs(-1) })
      .execute();
  }

  async function age(claims: readonly string[]): Promise<void> {
    await claimed(claims)
      .set({ until: inMs(LEASE_MS / 2) })
      .execute();
  }

  async function abandon(claims: readonly string[]): Promise<void> {
    await claimed(claims).set({ holder: GONE }).execute();
  }

  async function releaseGone(): Promise<void> {
    await ledger.records.releaseExited(sync, 0);
  }

  async function wait(): Promise<void> {
    await ofSync()
      .set({ retry_at: inMs(-1) })
      .execute();
  }

  function ofSync() {
    return db.updateTable('records').where('sync', '=', sync);
  }

  function claimed(claims: readonly string[]) {
    return db.updateTable('claims').where('token', 'in', ['', ...claims]);
  }

  function inMs(ms: number) {
    return sql<number>`${now} + cast(${ms} as integer)`;
  }

  async function rows(): Promise<Row[]> {
    const found = await db
      .selectFrom('record_contents as records')
      .selectAll()
      .select(now.as('now'))
      .select(sql<number>`coalesce((select until from claims where ${isOpenClaim}), 0)`.as('claimed_until'))
      .select(sql<string>`(select token from claims where ${isOpenClaim})`.as('claim'))
      .select(isBeingCreated.as('being_created'))
      .where('sync', '=', sync)
      .orderBy('key')
      .execute();
    const used = sql`select wanted from records union all select has from records union all select wanted from staged_changes`;
    const left =
      await sql`select id from contents where id not in (select wanted from (${used}) as used where wanted is not null)`.execute(
        db,
      );
    expect(left.rows, 'contents to which nothing points').toEqual([]);
    const attempts = await db.selectFrom('attempts').selectAll().orderBy('seq').execute();
    expect(attempts.filter(({ body, doubt }) => body !== null && doubt === null)).toEqual([]);
    return found.map((row) => {
      const opened = attempts.filter(({ record, doubt }) => record === row.id && doubt !== null);
      // A create that may have been sent under a claim has no attempt before a plan or another claim needs one.
      const isCreated = row.being_created && opened.every(({ claim_token }) => claim_token !== row.claim);
      const create = { method: 'POST' as const, doubt: 'sent' as const, body: null };
      return {
        key: row.key,
        status: row.status,
        cmsId: row.cms_id,
        delivered: (deliveredIn(row)?.version as number | undefined) ?? null,
        knows: row.being_created ? 'maybe' : row.knows,
        open: [...opened, ...(isCreated ? [create] : [])].map((each) => toAttempt(each, row)),
        due: (row.retry_at ?? 0) <= Number(row.now),
        lease: leaseOf(row.claimed_until - Number(row.now)),
      };
    });
  }

  async function converge(versions: ReadonlyMap<string, number>): Promise<void> {
    await db
      .updateTable('claims')
      .set({ until: inMs(-1) })
      .where('sync', '=', sync)
      .execute();
    await plan(versions);
    await wait();
    const keys = [...versions.keys()];
    let pending = keys.length;
    // Twice where the first worker finds that an editor has deleted an item.
    for (let round = 1; round <= 2 && pending > 0; round += 1) {
      const records = await ledger.records.claim(sync, keys, LEASE_MS);
      await Promise.all(records.map(deliver));
      ({ pending } = await ledger.records.outstanding(sync, keys));
    }
    expect(pending, 'records that are stuck').toBe(0);
  }

  async function deliver(record: ClaimedRecord): Promise<void> {
    const found = lookUp(record, { cms, recreate });
    expect(await keep(record, found, ledger)).toBe(true);
    const result = send(record, found, { cms, recreate }, 'answered');
    expect(await ledger.records.settle(record, result)).toBe(true);
  }
}

/** Without a body, it has sent what is desired. */
function toAttempt(
  { method, doubt, body }: Pick<AttemptsTable, 'method' | 'doubt' | 'body'>,
  { desired }: Pick<RecordContents, 'desired'>,
): Attempt {
  return { method, doubt, version: JSON.parse(body ?? desired).version } as Attempt;
}

function leaseOf(leftMs: number): Row['lease'] {
  if (leftMs < 0) return 'none';
  return leftMs > LEASE_MS / 2 ? 'fresh' : 'aged';
}
