import { sql } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import { type DeliveredColumns, deliveredIn, isRewritten, itemIn } from '../database/item-state.ts';
import type { HabitsTable, LedgerDatabase } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { ignoredOf } from './ignored.ts';

/** What a CMS is known to do with an attribute that it is sent. */
export type Habit = Pick<HabitsTable, 'attribute' | 'habit'>;

/** How many records are asked for one that shows that the CMS takes an attribute. */
const WITNESSES = 500;

export function createHabitStore({ db, now }: LedgerDatabase) {
  return { of, remember, forget, deliveredWith, ignoredOf: (sync: string) => ignoredOf(db, sync) };

  function of(target: string, resource: Resource): Promise<Habit[]> {
    return all<Habit>(db)`
      select attribute, habit from habits where target = ${target} and resource = ${resource} order by attribute
    `;
  }

  async function remember(target: string, resource: Resource, habits: readonly Habit[]): Promise<void> {
    for (const { attribute, habit } of habits) {
      await change(db)`
        insert into habits (target, resource, attribute, habit, seen_at)
        values (${target}, ${resource}, ${attribute}, ${habit}, ${now}) on conflict do nothing
      `;
    }
  }

  async function forget(target: string, resource: Resource, { attribute, habit }: Habit): Promise<void> {
    await change(db)`
      delete from habits
      where target = ${target} and resource = ${resource} and attribute = ${attribute} and habit = ${habit}
    `;
  }

  /**
   * Delivered records of a resource with an attribute, and what the CMS made of them.
   * @param shows `rewritten`: those whose attribute the CMS has rewritten, also while they change
   */
  async function deliveredWith(
    resource: Resource,
    attribute: string,
    shows: 'delivered' | 'rewritten' = 'delivered',
  ): Promise<Array<{ delivered: Payload; madeByCms: Payload }>> {
    const name = `${JSON.stringify(attribute)}:`;
    const isShown =
      shows === 'delivered'
        ? sql`status = 'delivered' and (replace(delivered, ${name}, '') <> delivered or replace(item, ${name}, '') <> item)`
        : sql`${isRewritten} and replace(item, ${name}, '') <> item`;
    const rows = await all<DeliveredColumns>(db)`
      select delivered, item from record_contents as records where resource = ${resource} and ${isShown}
      limit ${WITNESSES}
    `;
    return rows.map((row) => {
      return { delivered: deliveredIn(row) ?? {}, madeByCms: itemIn(row.item).madeByCms };
    });
  }
}
