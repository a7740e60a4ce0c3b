import { sql } from 'kysely';
import type { FindEntries } from './schema.ts';

/** If more entries have all terms, PostgreSQL reads them in the order of their ids instead of sorting them. */
const FEW = 2000;

type Row = { id: number };

/** The index is FTS5, which returns ids in their order. */
export const findEntriesInSqlite: FindEntries = async (db, { terms, after, limit }) => {
  const match = terms.map(({ text, isPrefix }) => `"${text}"${isPrefix ? '*' : ''}`).join(' AND ');
  const { rows } = await sql<Row>`
    select rowid as id from search_words where search_words match ${match} and rowid > ${after} order by rowid limit ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
};

/**
 * The index is GIN, which returns no order. PostgreSQL cannot estimate how many records have a word that begins so, and may read
 * all of them in the order of their ids: so it has to look into the index first, at some entries.
 */
export const findEntriesInPostgres: FindEntries = (db, { terms, after, limit }) => {
  const text = terms.map(({ text, isPrefix }) => `'${text}'${isPrefix ? ':*' : ''}`).join(' & ');
  const matches = sql`words @@ to_tsquery('pg_catalog.simple', ${text})`;
  return db.transaction().execute(async (transaction) => {
    for (const scan of ['seqscan', 'indexscan', 'indexonlyscan']) await set(`enable_${scan}`, 'off');
    const some = await sql<Row>`select id from search_words where ${matches} limit ${FEW + 1}`.execute(transaction);
    if (some.rows.length <= FEW) {
      const following = some.rows.map(({ id }) => id).filter((id) => id > after);
      return following.sort((one, other) => one - other).slice(0, limit);
    }
    await set('enable_indexscan', 'on');
    await set('enable_bitmapscan', 'off');
    const ordered = sql<Row>`
      select id from search_words where ${matches} and id > ${after} order by id limit ${limit}
    `;
    return (await ordered.execute(transaction)).rows.map(({ id }) => id);

    function set(name: string, value: string) {
      return sql`select set_config(${name}, ${value}, true)`.execute(transaction);
    }
  });
};
