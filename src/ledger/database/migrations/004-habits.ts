import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const habits = `
create table habits (
  target text not null,
  resource text not null,
  attribute text not null, -- or a part of one: 'time.end'; '*': the item as a whole
  habit text not null, -- 'rewritten': the CMS shows another value than was sent; 'ignored': none;
    -- 'replaces': a PATCH has emptied attributes that it did not send
  seen_at bigint not null, -- when this was seen first
  primary key (target, resource, attribute, habit),
  check (habit in ('rewritten', 'ignored', 'replaces'))
)`;

/** Adds what a CMS is known to do with attributes that it is sent. */
export const habitsOfTargets: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(habits).execute(db);
  },
};
