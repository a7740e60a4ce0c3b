import type { Resource } from '../../../src/core/record.ts';
import type { Item, ItemColumns, Store } from '../../../src/sandbox/store/store.ts';

/** The items of a resource, and the id of the next one. */
export type Rows = ReturnType<typeof dumpRows>;

/** Applies all writes of the work, or none if it throws. */
export function inTransaction<Result>({ db }: Store, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

/** Returns all items of a resource by their ids, and the id of the next item. */
export function dumpRows({ db }: Store, resource: Resource) {
  const rows = db.prepare(`SELECT id, instance, data FROM ${resource} ORDER BY id`).all();
  const last = db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(resource)?.seq ?? 0;
  const items = rows.map(
    ({ id, instance, data }): Item => ({
      id: Number(id),
      instance: String(instance),
      data: JSON.parse(String(data)),
    }),
  );
  return { nextId: Number(last) + 1, items };
}

/** Replaces all items of a resource; the next item gets `nextId`, or the id after the highest. */
export function replaceRows(
  { db }: Store,
  resource: Resource,
  { items, nextId }: Rows,
  index: (data: Item['data']) => Omit<ItemColumns, 'instance'>,
): void {
  db.exec(`DELETE FROM ${resource}`);
  db.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(resource);
  db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(resource, nextId - 1);
  const insert = db.prepare(
    `INSERT INTO ${resource} (id, instance, first_day, last_day, search_text, data) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  for (const { id, instance, data } of items) {
    const { firstDay, lastDay, searchText } = index(data);
    insert.run(id, instance, firstDay, lastDay, searchText, JSON.stringify(data));
  }
}
