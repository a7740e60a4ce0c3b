import { sql } from 'kysely';
import type { Occurrence, Payload } from '../../core/record.ts';
import { mayHaveItem } from '../database/conditions.ts';
import type { KeptAs } from '../database/kept-as.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { toOccurrence } from '../plans/adoptions.ts';

/** A record of a sync that no source has given: the sync had one source then. */
export interface OwnRecord {
  key: string;
  place: string;
  payload: Payload;
  /** JSON */
  attachments: string;
  occurrence?: Occurrence;
}

export function createOwnRecordStore({ db }: LedgerDatabase, keptAs: KeptAs) {
  return { recordsOfNoSource };

  /** Returns the records that have items and do not belong to any of these sources. */
  async function recordsOfNoSource(sync: string, sources: readonly string[]): Promise<OwnRecord[]> {
    const isMember = sql<boolean>`exists (
      select 1 from members where members.sync = ${keptAs(sync)} and members.cluster = records.key)`;
    const isNamed = sources.map((source) => sql`substr(records.key, 1, ${source.length + 1}) = ${`${source}/`}`);
    const rows = await db
      .selectFrom('records')
      .select(['key', 'place', 'desired', 'delivered', 'attachments', 'series', 'slot'])
      .where('sync', '=', sync)
      .where(mayHaveItem)
      .where(sql<boolean>`not ${isMember} and not (${sql.join(isNamed, sql` or `)})`)
      .orderBy('key')
      .execute();
    return rows.map(({ key, place, desired, delivered, attachments, series, slot }) => ({
      ...{ key, place, attachments },
      payload: { ...JSON.parse(delivered ?? '{}'), ...JSON.parse(desired) } as Payload,
      ...toOccurrence({ series, slot }),
    }));
  }
}
