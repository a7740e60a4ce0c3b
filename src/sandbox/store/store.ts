import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Payload } from '../../core/record.ts';
import { conditions, type ItemQuery, orderBy, sqlValueOf } from './store-sql.ts';

/** What the store keeps in columns of their own, so that lists are quick. */
export interface ItemColumns {
  /** Instance key of the calendar app; '' for the only one, and for accounts. */
  instance: string;
  /** ISO dates. */
  firstDay: string | null;
  lastDay: string | null;
  /** Lower-cased text that `search` looks through. */
  searchText: string;
}

export interface Item {
  id: number;
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
    events: itemTable(db, 'events'),
    accounts: itemTable(db, 'accounts'),
    /** Applies all that the work writes, or nothing if it throws. */
    transaction<Result>(work: () => Result): Result {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
    },
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
  const ensureIndex = attributeIndexes(db, name);

  return {
    insert(data: Payload, index: ItemColumns) {
      const insert = `INSERT INTO ${name} (instance, first_day, last_day, search_text, data) VALUES (?, ?, ?, ?, ?)`;
      return Number(sql(insert).run(...columns(data, index)).lastInsertRowid);
    },
    /** The item with an id; without an instance, that of any. */
    find(id: number, instance: string | null = null): Item | undefined {
      const select = `SELECT id, data FROM ${name} WHERE id = ? AND instance = coalesce(?, instance)`;
      const row = sql(select).get(id, instance);
      return row && toItem(row);
    },
    update(id: number, data: Payload, index: ItemColumns) {
      const update = `UPDATE ${name} SET instance = ?, first_day = ?, last_day = ?, search_text = ?, data = ? WHERE id = ?`;
      sql(update).run(...columns(data, index), id);
    },
    /** Whether there was an item to delete. */
    remove: (id: number, instance: string): boolean =>
      sql(`DELETE FROM ${name} WHERE id = ? AND instance = ?`).run(id, instance).changes === 1,
    /** All items by their ids, and the id that the next one gets. */
    dump() {
      const rows = sql(`SELECT id, instance, data FROM ${name} ORDER BY id`).all();
      const last = sql('SELECT seq FROM sqlite_sequence WHERE name = ?').get(name)?.seq ?? 0;
      return {
        nextId: Number(last) + 1,
        items: rows.map((row) => ({ ...toItem(row), instance: String(row.instance) })),
      };
    },
    /** Replaces all items; the next one gets `nextId`, or the id after the highest. */
    replaceAll(items: Array<Item & { columns: ItemColumns }>, nextId: number) {
      sql(`DELETE FROM ${name}`).run();
      sql('DELETE FROM sqlite_sequence WHERE name = ?').run(name);
      sql('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, nextId - 1);
      const insert = `INSERT INTO ${name} (id, instance, first_day, last_day, search_text, data) VALUES (?, ?, ?, ?, ?, ?)`;
      for (const { id, data, columns: index } of items) sql(insert).run(id, ...columns(data, index));
    },
    list(query: ItemQuery) {
      for (const filter of query.attributes) ensureIndex(filter.attribute);
      const { where, values } = conditions(query);
      const total = sql(`SELECT count(*) AS total FROM ${name} WHERE ${where}`).get(...values)?.total;
      const select = `SELECT id, data FROM ${name} WHERE ${where} ORDER BY ${orderBy(query)} LIMIT ? OFFSET ?`;
      const rows = sql(select).all(...values, query.limit, (query.page - 1) * query.limit);
      return { items: rows.map(toItem), total: Number(total) };
    },
    /** Ids of the items, of all instances, whose attribute has this text. */
    holders(attribute: string, value: string) {
      ensureIndex(attribute);
      const rows = sql(`SELECT id FROM ${name} WHERE ${sqlValueOf(attribute)} = ?`).all(value);
      return rows.map(({ id }) => Number(id));
    },
    /** The latest items of all instances, the newest first. */
    newest: (limit: number, offset: number): Item[] =>
      sql(`SELECT id, data FROM ${name} ORDER BY id DESC LIMIT ? OFFSET ?`).all(limit, offset).map(toItem),
    /** How many items all instances have. */
    count: (): number => Number(sql(`SELECT count(*) AS total FROM ${name}`).get()?.total),
    /** Values of an attribute that several items share, the most frequent first. */
    duplicates(attribute: string) {
      const value = sqlValueOf(attribute);
      const select = `SELECT ${value} AS value, count(*) AS count, json_group_array(id) AS ids FROM ${name}
        WHERE ${value} IS NOT NULL GROUP BY 1 HAVING count(*) > 1 ORDER BY 2 DESC, 1`;
      return sql(select).all().map(toDuplicate);
    },
  };
}

/** Prepares each statement once. */
function statements(db: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}

/** Looking items up by an attribute is what careful clients do before each create: such attributes get an index. */
function attributeIndexes(db: DatabaseSync, table: string): (attribute: string) => void {
  const maxIndexes = 8;
  const indexed = new Set<string>();
  return (attribute) => {
    if (attribute === 'id' || indexed.has(attribute) || indexed.size === maxIndexes) return;
    indexed.add(attribute);
    db.exec(`CREATE INDEX IF NOT EXISTS "${table}_by_${attribute}" ON ${table} (${sqlValueOf(attribute)})`);
  };
}

function columns(data: Payload, index: ItemColumns): SQLInputValue[] {
  return [index.instance, index.firstDay, index.lastDay, index.searchText, JSON.stringify(data)];
}

function toItem(row: Record<string, unknown>): Item {
  return { id: Number(row.id), data: JSON.parse(String(row.data)) };
}

function toDuplicate(row: Record<string, unknown>) {
  const value = typeof row.value === 'number' ? row.value : String(row.value);
  return { value, count: Number(row.count), ids: JSON.parse(String(row.ids)) };
}
