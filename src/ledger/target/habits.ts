import { sql } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import { payloadIn } from '../database/queries.ts';
import type { HabitsTable, LedgerDatabase } from '../database/schema.ts';
import { ignoredOf } from './ignored.ts';

/** What a CMS is known to do with an attribute that it is sent. */
export type Habit = Pick<HabitsTable, 'attribute' | 'habit'>;

/** How many records are asked for one that shows that the CMS takes an attribute. */
const WITNESSES = 500;

export function createHabitStore({ db, now }: LedgerDatabase) {
  return { of, remember, forget, deliveredWith, ignoredOf: (sync: string) => ignoredOf(db, sync) };

  async function of(target: string, resource: Resource): Promise<Habit[]> {
    const found = db.selectFrom('habits').select(['attribute', 'habit']);
    return found
      .where(({ and }) => and({ target, resource }))
      .orderBy('attribute')
      .execute();
  }

  async function remember(target: string, resource: Resource, habits: readonly Habit[]): Promise<void> {
    if (habits.length === 0) return;
    await db
      .insertInto('habits')
      .values(habits.map(({ attribute, habit }) => ({ target, resource, attribute, habit, seen_at: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async function forget(target: string, resource: Resource, { attribute, habit }: Habit): Promise<void> {
    const known = db.deleteFrom('habits').where(({ and }) => and({ target, resource, attribute, habit }));
    await known.execute();
  }

  /**
   * Delivered records of a resource with an attribute, and what the CMS made of them.
   * @param column `made_by_cms`: those whose attribute the CMS has rewritten, also while they change
   */
  async function deliveredWith(
    resource: Resource,
    attribute: string,
    column: 'delivered' | 'made_by_cms' = 'delivered',
  ): Promise<Array<{ delivered: Payload; madeByCms: Payload }>> {
    const name = `${JSON.stringify(attribute)}:`;
    const rows = await db
      .selectFrom('records')
      .select(['delivered', 'made_by_cms'])
      .where(({ and }) => and({ resource, ...(column === 'delivered' && { status: 'delivered' }) }))
      .where(sql<boolean>`replace(${sql.ref(column)}, ${name}, '') <> ${sql.ref(column)}`)
      .limit(WITNESSES)
      .execute();
    return rows.map(({ delivered, made_by_cms }) => ({
      delivered: payloadIn(delivered) ?? {},
      madeByCms: payloadIn(made_by_cms) ?? {},
    }));
  }
}
