import { sql } from 'kysely';
import { isGone } from '../database/lease-holder.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { shareOf } from './fair-shares.ts';

/** What a process asks for. */
export interface PermitRequest {
  holder: string;
  inUse: number;
  wanted: number;
  /** Permits that the target has at present. */
  total: number;
  leaseMs: number;
  /** It takes what the others leave. */
  background?: boolean;
}

/** Shares the requests that a target may have in flight among all processes. */
export interface PermitStore {
  /**
   * Renews the lease of a process and answers how many permits it may use until it lapses. What it has in use counts as
   * granted, even if that is more: in sum it is never over the total.
   */
  balance(target: string, request: PermitRequest): Promise<number>;
  /** Gives all permits of a process back. */
  release(target: string, holder: string): Promise<void>;
}

export function createPermitStore({ db, now }: LedgerDatabase): PermitStore {
  return { balance, release };

  function balance(target: string, request: PermitRequest): Promise<number> {
    const { holder, inUse, wanted, total, leaseMs, background = false } = request;
    return db.transaction().execute(async (transaction) => {
      // Also the lock: who balances the same target waits here.
      await transaction
        .insertInto('targets')
        .values({ target, epoch: 0, pauses: 0, next_at: 0 })
        .onConflict((conflict) => conflict.column('target').doUpdateSet({ pauses: sql`targets.pauses` }))
        .execute();
      const rows = await transaction
        .selectFrom('permits')
        .select([
          'holder',
          'granted',
          'wanted',
          'background',
          sql<number>`case when lease_until < ${now} then 1 else 0 end`.as('lapsed'),
        ])
        .where('target', '=', target)
        .orderBy('joined_at')
        .orderBy('holder')
        .execute();
      const gone = rows.filter((row) => row.holder !== holder && (row.lapsed === 1 || isGone(row.holder)));
      const alive = rows
        .filter((row) => !gone.includes(row))
        .map((row) => ({ ...row, background: row.background === 1 }));
      const mine = alive.findIndex((row) => row.holder === holder);
      const place = mine === -1 ? alive.length : mine;
      const others = { before: alive.slice(0, place), after: alive.slice(place + 1) };
      const share = shareOf(total, { wanted, background }, others);
      // What is in use cannot be taken back; it becomes less as requests end.
      const granted = Math.max(share, inUse);
      if (gone.length > 0) {
        await transaction
          .deleteFrom('permits')
          .where('target', '=', target)
          .where(
            'holder',
            'in',
            gone.map((row) => row.holder),
          )
          .execute();
      }
      const leaseUntil = sql<number>`${now} + ${leaseMs}`;
      const ours = { target, holder, granted, wanted, background: background ? 1 : 0 };
      await transaction
        .insertInto('permits')
        .values({ ...ours, joined_at: now, lease_until: leaseUntil })
        .onConflict((conflict) =>
          conflict.columns(['target', 'holder']).doUpdateSet({ granted, wanted, lease_until: leaseUntil }),
        )
        .execute();
      return share;
    });
  }

  async function release(target: string, holder: string): Promise<void> {
    await db.deleteFrom('permits').where('target', '=', target).where('holder', '=', holder).execute();
  }
}
