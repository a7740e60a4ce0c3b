import { sql } from 'kysely';
import { describeDifferences } from '../../core/text/describe-differences.ts';
import { isWithoutFile } from '../database/conditions.ts';
import type { LedgerDatabase, VerificationsTable } from '../database/schema.ts';
import { all } from '../database/statements.ts';

/**
 * What is known today of a difference that was found. `undelivered`: its record was delivered without the file, perhaps again, which
 * is counted there; `repaired`: its record was delivered since; `open`: nothing has changed.
 * Of differences, joined with their verifications.
 */
export const sinceFound = sql<'open' | 'repaired' | 'undelivered'>`coalesce((
  select case
    when differences.cause in ('fileMissing', 'undelivered') and records.status = 'delivered' and ${isWithoutFile}
      then 'undelivered'
    when records.delivered_at >= verifications.found_at or records.status = 'removed' then 'repaired'
  end from records where records.id = differences.record
), 'open')`;

/** Differences of a sync that still ask for attention. */
export interface OpenDifferences {
  sync: string;
  /** Identifies the verification that has found them. */
  id: string;
  differences: number;
  /** "7 edited, 5 deleted" */
  summary: string;
}

/**
 * Returns the open differences of each sync that has some, by the last verification with a certain result.
 * @param sync absent: all syncs
 */
export async function openDifferences({ db }: Pick<LedgerDatabase, 'db'>, sync?: string): Promise<OpenDifferences[]> {
  const found = await all<Pick<VerificationsTable, 'sync' | 'id' | 'drift' | 'summary'>>(db)`
    select sync, id, drift, summary from verifications
    where drift > 0 ${sync === undefined ? sql`` : sql`and sync = ${sync}`}
  `;
  return (await Promise.all(found.map(stillOpen))).filter(({ differences }) => differences > 0);

  async function stillOpen({ sync: name, id, drift, summary }: (typeof found)[number]): Promise<OpenDifferences> {
    const rows = await all<{ cause: string; since: string; count: number }>(db)`
      select cause, since, count(*) as count from (
        select differences.cause, ${sinceFound} as since
        from verifications cross join differences
        where verifications.sync = ${name} and differences.sync = ${name}
      ) as found group by cause, since
    `;
    const counts = rows.filter(({ since }) => since === 'open').map(({ cause, count }) => [cause, count] as const);
    const over = rows.reduce((sum, { since, count }) => sum + (since === 'open' ? 0 : count), 0);
    // Not all of very many differences are stored.
    const differences = Math.max(0, (drift ?? 0) - over);
    const isAsFound = over === 0;
    return {
      sync: name,
      id,
      differences,
      summary: isAsFound ? (summary ?? '') : describeDifferences(Object.fromEntries(counts)),
    };
  }
}
