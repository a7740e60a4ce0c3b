import { type RawBuilder, sql } from 'kysely';
import type { Payload, RecordSpan } from '../../core/record.ts';
import { hasItem, isNotThrough, isUndelivered } from '../database/conditions.ts';
import { type DeliveredColumns, deliveredIn } from '../database/item-state.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { all } from '../database/statements.ts';

/** The delivered content of an event that has an item. */
export interface DeliveredEvent {
  sync: string;
  key: string;
  cmsId: number;
  delivered: Payload;
}

/** An event that spans days, as its source wanted it last. */
export interface KnownSpan extends RecordSpan {
  key: string;
  /** ISO dates */
  start: string;
  end: string;
}

export interface EventDays {
  /** Consecutive days, as ISO dates. */
  days: readonly [string, ...string[]];
  /** Absent: events of all syncs. */
  sync?: string;
  /** Maximum number of events that begin on one day, and of other events. */
  limit: number;
}

const lastsSeveralDays = sql<boolean>`ends_on > starts_on`;

type EventRow = { sync: string; key: string; cms_id: number } & DeliveredColumns;

export function createEventDayStore({ db }: LedgerDatabase) {
  return { eventsOn, spans };

  /** Returns the events of a sync that span days, each of which has a record in the source. */
  async function spans(sync: string): Promise<KnownSpan[]> {
    const rows = await all<{ key: string; days: string; starts_on: string; ends_on: string | null }>(db)`
      select key, days, starts_on, ends_on from contents join records on records.wanted = contents.id
      where sync = ${sync} and wanted in (select id from contents where days is not null) order by key
    `;
    return rows.map(({ key, days, starts_on, ends_on }) => {
      return { key, ...(JSON.parse(days) as RecordSpan), start: starts_on, end: ends_on ?? starts_on };
    });
  }

  /**
   * Reads the events that begin on each of the days, earlier events that last until one of the days or longer, and events with
   * an undelivered update, whose days may be others in the CMS. Reads little more than the rows that it returns.
   */
  async function eventsOn({ days, sync, limit }: EventDays): Promise<{ events: DeliveredEvent[]; isCut: boolean }> {
    const ofSync = sync === undefined ? sql`1 = 1` : sql`sync = ${sync}`;
    // Few events last this long: SQLite would rather read all records of the sync if an index could find these.
    const isOfSync = sync === undefined ? sql`1 = 1` : sql`coalesce(sync, '') = ${sync}`;
    const [first] = days;
    const conditions = [
      ...days.map((day) => sql`${hasItem} and starts_on = ${day} and ${ofSync}`),
      sql`${hasItem} and ${lastsSeveralDays} and ends_on >= ${first} and starts_on < ${first} and ${isOfSync}`,
    ];
    const [begun, undelivered] = await Promise.all([read(conditions, limit + 1), readUndelivered(ofSync, limit)]);
    const isCut = begun.some(({ length }) => length > limit);
    const rows = [...begun.flatMap((some) => some.slice(0, limit)), ...undelivered];
    const byKey = new Map(rows.map((row) => [JSON.stringify([row.sync, row.key]), row]));
    return { events: [...byKey.values()].map(toEvent), isCut };
  }

  /** Reads the rows of each condition, in one statement for all. */
  async function read(conditions: Array<RawBuilder<unknown>>, limit: number): Promise<EventRow[][]> {
    const parts = conditions.map((condition, index) => {
      const rows = sql`select sync, key, cms_id, delivered, item from record_contents where ${condition} limit ${limit}`;
      return sql`select cast(${index} as integer) as part, found.* from (${rows}) as found`;
    });
    const query = sql<EventRow & { part: number }>`${sql.join(parts, sql` union all `)}`;
    const { rows } = await query.execute(db);
    const byPart = Map.groupBy(rows, ({ part }) => part);
    return conditions.map((_, index) => byPart.get(index) ?? []);
  }

  /** Reads only the first page: during a run there may be many, and they are delivered soon. */
  async function readUndelivered(ofSync: RawBuilder<unknown>, limit: number): Promise<EventRow[]> {
    const first = sql`
      select sync, key, cms_id, delivered, item, starts_on from record_contents as records
      where ${isUndelivered} and ${isNotThrough} and ${ofSync} limit ${limit}
    `;
    const query = sql<EventRow>`
      select sync, key, cms_id, delivered, item from (${first}) as undelivered where ${hasItem} and starts_on is not null
    `;
    return (await query.execute(db)).rows;
  }
}

function toEvent({ sync, key, cms_id, ...has }: EventRow): DeliveredEvent {
  return { sync, key, cmsId: cms_id, delivered: deliveredIn(has) ?? {} };
}
