import { type RawBuilder, sql } from 'kysely';
import type { LedgerDatabase } from './schema.ts';

/** Rows as a table within a statement, from one JSON parameter; only the function that takes it apart differs. */
export function jsonRows(engine: 'sqlite' | 'postgresql'): LedgerDatabase['rowsOf'] {
  return (rows, columns) => {
    const json = JSON.stringify(rows);
    const elements = engine === 'sqlite' ? sql`json_each(${json})` : sql`jsonb_array_elements(cast(${json} as jsonb))`;
    return sql`(select ${sql.join(Object.entries(columns).map(column))} from ${elements} as element)`;
  };
}

function column([name, type]: [string, unknown]): RawBuilder<unknown> {
  const value = sql`element.value ->> ${sql.lit(name)}`;
  return sql`${type === 'bigint' ? sql`cast(${value} as bigint)` : value} as ${sql.ref(name)}`;
}
