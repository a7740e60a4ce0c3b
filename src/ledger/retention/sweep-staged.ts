import { sql } from 'kysely';
import { isGone } from '../database/lease-holder.ts';
import type { LedgerDatabase } from '../database/schema.ts';

/** A plan of another machine takes no longer than that. */
const LONGEST_PLAN_MS = 86_400_000;

/** Plans whose process ended before they did: nobody else discards what they have staged. */
export async function abandonedPlans({ db, now }: LedgerDatabase): Promise<string[]> {
  const plans = await db
    .selectFrom('runs')
    .select([
      'id',
      'holder',
      sql<number>`case when started_at < ${now} - ${LONGEST_PLAN_MS} then 1 else 0 end`.as('lapsed'),
    ])
    .where('status', '=', 'planned')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('staged_changes').select('staged_changes.run').whereRef('staged_changes.run', '=', 'runs.id')),
    )
    .execute();
  return plans.filter(({ holder, lapsed }) => lapsed === 1 || isGone(holder)).map(({ id }) => id);
}
