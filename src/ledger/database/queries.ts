import { type SelectQueryBuilder, sql } from 'kysely';

/** Returns the number of rows of a query that selects nothing yet. */
export async function countRows<DB, Tables extends keyof DB>(
  query: SelectQueryBuilder<DB, Tables, object>,
): Promise<number> {
  const counted = query.select(sql`count(*)`.as('rows')).$castTo<{ rows: number }>();
  return Number((await counted.executeTakeFirstOrThrow()).rows);
}

/** Whether a query that selects nothing yet has any rows. */
export async function hasRows<DB, Tables extends keyof DB>(
  query: SelectQueryBuilder<DB, Tables, object>,
): Promise<boolean> {
  return (await query.select(sql`1`.as('one')).limit(1).executeTakeFirst()) !== undefined;
}
