import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import { hasItem, isInDoubt, isUndelivered } from '../database/conditions.ts';
import { deliveredIn } from '../database/item-state.ts';
import { leadingValues } from '../database/queries.ts';
import type { LedgerDatabase, LedgerTables, RecordGoal } from '../database/schema.ts';
import { all } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';

/** A record of another sync that has an item in the same calendar or list of accounts, may have one, or is about to get one. */
export interface OtherRecord {
  sync: string;
  key: string;
  /** Null: none is known yet. */
  cmsId: number | null;
  /** What its item shows, and what it is to show. */
  contents: Payload[];
}

/** Which records are those of others. */
export interface OthersOf {
  sync: string;
  resource: Resource;
  /** Id of the site or calendar, and its former id if the site moved. */
  targets: readonly string[];
}

/** Days, or ids, in one statement. */
const DAYS = 31;
const ACCOUNTS = 500;

export function createOtherRecordStore({ db }: LedgerDatabase) {
  return { others };

  /** Reads the records of other syncs that the creates of a staged plan may look like; events only on the days of the creates. */
  async function* others(run: string, of: OthersOf): AsyncGenerator<OtherRecord[]> {
    const syncs = await otherSyncs(db, of);
    if (syncs.length > 0) yield* othersAmong(run, of.resource, sql`${isOneOf('sync', syncs)}`, db);
  }
}

/** Reads the records that meet a condition and that the creates of a staged plan may look like. */
export async function* othersAmong(
  run: string,
  resource: Resource,
  isOther: RawBuilder<unknown>,
  db: Kysely<LedgerTables>,
): AsyncGenerator<OtherRecord[]> {
  const ofThese = sql`resource = ${resource} and ${isOther}`;
  if (resource === 'accounts') {
    yield (await select(sql`${isUndelivered} and ${isExpected} and ${ofThese}`, db)).map(toOther);
    for (let after = -1; ; ) {
      const rows = await select(
        sql`${hasItem} and ${ofThese} and cms_id > ${after} order by cms_id limit ${ACCOUNTS}`,
        db,
      );
      yield rows.map(toOther);
      if (rows.length < ACCOUNTS) return;
      after = rows.at(-1)?.cms_id ?? after;
    }
  }
  const days = await all<{ starts_on: string }>(db)`
    select distinct starts_on from staged_changes
    where run = ${run} and op = 'create' and starts_on is not null order by starts_on
  `;
  for (let start = 0; start < days.length; start += DAYS) {
    const isThen = isOneOf(
      'starts_on',
      days.slice(start, start + DAYS).map(({ starts_on }) => starts_on),
    );
    // Each part has an index of its own.
    const rows = await select(
      sql`${hasItem} and ${isThen} and ${ofThese}
        union all ${columns} where ${isUndelivered} and ${isExpected} and ${isThen} and ${ofThese}`,
      db,
    );
    yield rows.map(toOther);
  }
}

/** The other syncs that deliver to the same place, by their last runs. */
export async function otherSyncs(db: Kysely<LedgerTables>, { sync, targets }: OthersOf): Promise<string[]> {
  const rows = await all<{ name: string }>(db)`
    select value as name from (${leadingValues('records', 'sync')}) as names
    where value <> ${sync} and (
      select target from runs where runs.sync = names.value and target is not null order by started_at desc limit 1
    ) in (${sql.join(targets)})
  `;
  return rows.map(({ name }) => name);
}

/** Of records without an item: it may have one, or is about to get one. */
const isExpected = sql<boolean>`(
  cms_id is null and (${isInDoubt} or (status = 'pending' and goal = 'have'))
)`;

const columns = sql`select sync, key, cms_id, status, goal, desired, delivered, item from record_contents as records`;

interface OtherRow {
  sync: string;
  key: string;
  cms_id: number | null;
  status: string;
  goal: RecordGoal;
  desired: string;
  delivered: string | null;
  item: string | null;
}

function select(condition: RawBuilder<unknown>, db: Kysely<LedgerTables>): Promise<OtherRow[]> {
  return all<OtherRow>(db)`${columns} where ${condition}`;
}

function toOther({ sync, key, cms_id, status, goal, desired, ...has }: OtherRow): OtherRecord {
  const delivered = deliveredIn(has);
  const wanted = JSON.parse(desired) as Payload;
  // A mark or restore has only some attributes.
  const shown = delivered === null ? [] : [{ ...wanted, ...delivered }];
  const next = delivered === null || (status === 'pending' && (goal === 'have' || goal === 'leave')) ? [wanted] : [];
  return { sync, key, cmsId: cms_id, contents: [...shown, ...next] };
}
