import { type RawBuilder, sql } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import { type DeliveredColumns, deliveredIn, itemIn } from './item-state.ts';
import type { LedgerTables, RecordContents } from './schema.ts';

/**
 * A query of the different values of the first column of a table's primary key. Looks up one row for each value instead of
 * reading all rows.
 */
export function leadingValues<Table extends keyof LedgerTables>(
  table: Table,
  column: keyof LedgerTables[Table] & string,
): RawBuilder<unknown> {
  const [rows, value] = [sql.table(table), sql.ref(column)];
  return sql`
    with recursive found(value) as (
      select min(${value}) from ${rows}
      union all
      select (select min(${value}) from ${rows} where ${value} > found.value) from found where found.value is not null
    )
    select value from found where value is not null
  `;
}

/** Number of rows in memory at a time. */
const PAGE = 500;

/** Reads rows in pages, in the order of their keys. */
export function pagesByKey<Row extends { key: string }>(
  read: (after: string, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  return pagesAfter({ key: '' }, ({ key }, limit) => read(key, limit));
}

/** Reads rows in pages, in the order of what `read` compares with the last row. */
export async function* pagesAfter<Place, Row extends Place>(
  first: Place,
  read: (after: Place, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = first; ; ) {
    const rows = await read(after, PAGE);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1) ?? after;
  }
}

/** Reads a column with a payload as JSON. */
export function payloadIn(column: string | null): Payload | null {
  return column === null ? null : (JSON.parse(column) as Payload);
}

/** What a record asks for. A restore or a mark asks for some attributes, and for the others as they were delivered. */
export function wantedIn({
  goal,
  desired,
  ...has
}: Pick<RecordContents, 'goal' | 'desired'> & DeliveredColumns): Payload {
  const isPart = goal === 'restore' || goal === 'mark';
  return { ...(isPart && deliveredIn(has)), ...(JSON.parse(desired) as Payload) };
}

/** What the source had last of a record with an item; of a marked record, without the mark. */
export function contentIn({ desired, ...has }: { desired: string } & DeliveredColumns): Payload {
  return { ...deliveredIn(has), ...(JSON.parse(desired) as Payload), ...itemIn(has.item).attributesBeforeMark };
}

export interface TitleColumns extends DeliveredColumns {
  desired: string | null;
  resource: Resource | null;
}

/** The title of a record, by the columns of its row; absent if it has none. */
export function titleIn({ desired, resource, ...has }: TitleColumns): { title?: string } {
  const title = recordTitle({ ...deliveredIn(has), ...payloadIn(desired) }, resource ?? 'events');
  return title === '' ? {} : { title };
}

/** Each value once. */
export function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
