import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Payload } from '../../core/record.ts';
import { conditions, type ItemQuery, orderBy, sqlValueOf } from './store-sql.ts';

/** Values that the store keeps in separate columns, so that lists are quick. */
export interface ItemColumns {
  /** Instance key of the calendar app; '' for the only one, and for accounts. */
  instance: string;
  /** ISO dates. */
  firstDay: string | null;
  lastDay: string | null;
  /** Lower-cased text for `search`. */
  searchText: string;
}

export interface Item {
  id: number;
  /** Instance key of the calendar app; '' for the only one, and for accounts. */
  instance: string;
  /** The attributes that have a value. */
  data: Payload;
}

export type ItemTable = ReturnType<typeof itemTable>;

export type Store = ReturnType<typeof openStore>;

/** Opens the store: an SQLite file in WAL mode, which survives a killed process, or ':memory:'. */
export function openStore(file: string) {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  return {
    db,
    events: itemTable(db, 'events'),
    accounts: itemTable(db, 'accounts'),
    close: (): void => db.close(),
  };
}

/** The items of one resource. Every write is committed when the call returns. */
function itemTable(db: DatabaseSync, name: 'events' | 'accounts') {
  db.exec(`
    CREATE TABLE IF NOT EXISTS ${name} (
      id INTEGER PRIMARY KEY AUTOINCREMENT, instance TEXT NOT NULL, first_day TEXT, last_day TEXT,
      search_text TEXT NOT NULL, data TEXT NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS ${name}_first_day ON ${name} (instance, first_day);
    CREATE INDEX IF NOT EXISTS ${name}_last_day ON ${name} (instance, last_day)`);
  const sql = statements(db);
  const indexedSqlOf = attributeIndexes(db, name);

  return {
    insert(data: Payload, index: ItemColumns) {
      const insert = `INSERT INTO ${name} (instance, first_day, last_day, search_text, data) VALUES (?, ?, ?, ?, ?)`;
      return Number(sql(insert).run(...columns(data, index)).lastInsertRowid);
    },
    /** The item with an id; without an instance, an item of any instance. */
    find(id: number, instance: string | null = null): Item | undefined {
      const select = `SELECT id, instance, data FROM ${name} WHERE id = ? AND instance = coalesce(?, instance)`;
      const row = sql(select).get(id, instance);
      return row && toItem(row);
    },
    update(id: number, data: Payload, index: ItemColumns) {
      const update = `UPDATE ${name} SET instance = ?, first_day = ?, last_day = ?, search_text = ?, data = ? WHERE id = ?`;
      sql(update).run(...columns(data, index), id);
    },
    /** Deletes an item. Returns whether the item existed. */
    remove: (id: number, instance: string): boolean =>
      sql(`DELETE FROM ${name} WHERE id = ? AND instance = ?`).run(id, instance).changes === 1,
    list(query: ItemQuery) {
      const { where, values } = conditions(query, indexedSqlOf);
      const total = sql(`SELECT count(*) AS total FROM ${name} WHERE ${where}`).get(...values)?.total;
      const select = `SELECT id, instance, data FROM ${name} WHERE ${where} ORDER BY ${orderBy(query)} LIMIT ? OFFSET ?`;
      const rows = sql(select).all(...values, query.limit, (query.page - 1) * query.limit);
      return { items: rows.map(toItem), total: Number(total) };
    },
    /** Ids of the items of all instances whose attribute has this text. */
    holders(attribute: string, value: string) {
      const rows = sql(`SELECT id FROM ${name} WHERE ${indexedSqlOf(attribute)} = ?`).all(value);
      return rows.map(({ id }) => Number(id));
    },
    /** The latest items of all instances, newest first. */
    newest: (limit: number): Item[] =>
      sql(`SELECT id, instance, data FROM ${name} ORDER BY id DESC LIMIT ?`).all(limit).map(toItem),
    /** How many items all instances have. */
    count: (): number => Number(sql(`SELECT count(*) AS total FROM ${name}`).get()?.total),
  };
}

const mostStatements = 256;

/** Prepares statements and keeps a limited number: a client may sort and filter by any number of attributes. */
function statements(db: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    if (prepared.size === mostStatements) prepared.clear();
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}

/** Returns the SQL of an attribute by which careful clients look items up before each create, after indexing up to eight. */
function attributeIndexes(db: DatabaseSync, table: string): (attribute: string) => string {
  const maxIndexes = 8;
  const indexed = new Set(['id']);
  return (attribute) => {
    const value = sqlValueOf(attribute);
    if (!indexed.has(attribute) && indexed.size <= maxIndexes) {
      indexed.add(attribute);
      db.exec(`CREATE INDEX IF NOT EXISTS "${table}_by_${attribute}" ON ${table} (${value})`);
    }
    return value;
  };
}

function columns(data: Payload, index: ItemColumns): SQLInputValue[] {
  return [index.instance, index.firstDay, index.lastDay, index.searchText, JSON.stringify(data)];
}

function toItem(row: Record<string, unknown>): Item {
  return { id: Number(row.id), instance: String(row.instance), data: JSON.parse(String(row.data)) };
}
