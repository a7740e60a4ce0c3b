import { type RawBuilder, sql } from 'kysely';
import { hashOf, hasOpenAttempt, isOfSource, isOpenClaim } from '../database/conditions.ts';
import { itemColumn } from '../database/item-state.ts';
import type { Knowledge, LedgerDatabase, RecordsTable } from '../database/schema.ts';

// The moves of a record from one state to another, each as the columns that it leaves. No other file says how a record is changed.
// scripts/record-states.ts lists what each means; docs/development/delivery-protocol.md explains the states.

type Now = LedgerDatabase['now'];
type Columns = Partial<{ [Column in keyof RecordsTable]: RecordsTable[Column] | RawBuilder<unknown> }>;

/**
 * The statement that moves records.
 * @param columns one of the moves below
 * @param rows the condition that the records meet, and a table that the move or the condition uses
 */
export function move<Row = unknown>(
  columns: Columns,
  rows: { from?: RawBuilder<unknown>; where: RawBuilder<unknown>; returning?: RawBuilder<unknown> },
): RawBuilder<Row> {
  const set = assignments(columns);
  const from = rows.from ? sql`from ${rows.from}` : sql``;
  const returning = rows.returning ? sql`returning ${rows.returning}` : sql``;
  return sql<Row>`update records set ${sql.join(set)} ${from} where ${rows.where} ${returning}`;
}

/** A statement that is repeated with other rows has no other values than theirs: what is the same for all is part of its text. */
function assignments(columns: Columns): Array<RawBuilder<unknown>> {
  return Object.entries(columns).map(([column, value]) => {
    return sql`${sql.ref(column)} = ${isText(value) ? sql.lit(value) : value}`;
  });
}

function isText(value: unknown): value is string | number | null {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

/** The statement that removes records from the ledger. Their items stay. */
export function forget<Row = unknown>(where: RawBuilder<unknown>, returning?: RawBuilder<unknown>): RawBuilder<Row> {
  return sql<Row>`delete from records where ${where} ${returning ? sql`returning ${returning}` : sql``}`;
}

/** What is known of the item, according to the other columns of a record and its open attempts. */
const knowledge = sql<Knowledge>`case
  when records.cms_id is null then case
    when ${hasOpenAttempt(sql`doubt <> 'refused'`)} then 'maybe' when ${hasOpenAttempt()} then 'refused' else 'none' end
  when ${hasOpenAttempt(sql`method = 'DELETE'`)} then 'maybeGone'
  when records.has is null then 'found' else 'known' end`;

/** Ends the claim on a record: its holder can no longer settle the record. */
const unclaimed = {
  ended_claim: sql`coalesce((select max(claims.token) from claims where ${isOpenClaim}), records.ended_claim)`,
} satisfies Columns;
const noError = { error: null } satisfies Columns;

/**
 * A plan has no change for a record that has no open attempt: the CMS has what the source wants, as the plan has read it. The
 * holder of a claim, which has sent nothing yet, may no longer do so.
 */
export const withdrawn = (run: string) => {
  const read = sql`select wanted from staged_changes where staged_changes.run = ${run} and staged_changes.key = records.key`;
  return {
    ...unclaimed,
    ...noError,
    status: 'delivered',
    goal: 'have',
    wanted: sql`coalesce((${read}), records.has)`,
    source_hash: null,
  } satisfies Columns;
};

/** A call was opened while the record was withdrawn: the next plan decides. */
export const doubted = { status: 'pending' } satisfies Columns;

/** The source skips the record, or no longer has it: the record is not retried. */
export const leftAlone = { goal: 'leave' } satisfies Columns;

/** A complete reading of the source lacks the record. */
export const missed = (now: Now) =>
  ({
    missing_since: sql`coalesce(records.missing_since, ${now})`,
    missing_runs: sql`records.missing_runs + 1`,
  }) satisfies Columns;

/** The source has the record again. */
export const returned = { missing_since: null, missing_runs: 0 } satisfies Columns;

/** The claim has ended without a result, and its creates are attempts by now. A request of it may have been under way until `since`. */
export const lapsed = (claim: string, since: number) =>
  ({
    ended_claim: sql`${claim}`,
    quiet_since: sql`${since}`,
    knows: knowledge,
    // The pause before the claim is over, whatever the clock shows: it may have gone back since the pause began.
    retry_at: null,
  }) satisfies Columns;

/**
 * The process that held the claim has exited. Its request may still be under way, so the record is not claimed for `quietMs`,
 * even if a new plan changes it.
 */
export const exited = (claim: string, now: Now, quietMs: number) =>
  ({
    ...noError,
    ended_claim: sql`${claim}`,
    quiet_since: now,
    knows: knowledge,
    retry_at: sql`${now} + ${quietMs}`,
  }) satisfies Columns;

/** The id of the item that a create has left is known; nothing of it is confirmed. */
export const found = (cmsId: number) => ({ cms_id: sql`${cmsId}`, knows: 'found' }) satisfies Columns;

/** The item is under another id, where it shows the external id of the record, or as a person says. */
export const relocated = (cmsId: number) => ({ cms_id: sql`${cmsId}` }) satisfies Columns;

/** Another record is being matched with the same item. `reconsidered` follows. */
export const contested = { cms_id: null, knows: 'maybe' } satisfies Columns;

/** A delete is about to be sent. */
export const deleting = { knows: 'maybeGone' } satisfies Columns;

/** The mark of an item is about to be sent. @param item what is remembered of it since, with the attributes that the mark may replace */
export const marking = (item: RawBuilder<unknown>) => ({ item }) satisfies Columns;

/** Attempts were opened, closed or withdrawn. */
export const reconsidered = { knows: knowledge } satisfies Columns;

/** No run has changed the desired state since the claim. */
const isNewest = sql`(
  (records.wanted is not distinct from settled.wanted or ${hashOf('wanted')} = settled.hash) and case records.goal when 'leave' then 'have' else records.goal end = settled.goal
)`;

/** Editors have deleted the item; it is not created again because of changes in the source meanwhile. */
const staysDeleted = sql`(settled.status = 'deleted' and ${isOfSource})`;

const unlessUnchanged = (column: 'cms_id' | 'undelivered_files') =>
  sql`case settled.confirms when 'unchanged' then records.${sql.ref(column)} else settled.${sql.ref(column)} end`;

/** A delivery has ended: `settled` is a row of settled-row.ts. What was not confirmed stays in doubt (`reconsidered` follows). */
export const settled = (now: Now) =>
  ({
    ended_claim: sql`settled.claim_token`,
    quiet_since: now,
    status: sql`case when ${isNewest} or ${staysDeleted} then settled.status else 'pending' end`,
    attempts: sql`records.attempts + settled.attempts`,
    retry_at: sql`${now} + settled.retry_after`,
    error: sql`settled.error`,
    knows: sql`coalesce(settled.knows, records.knows)`,
    cms_id: unlessUnchanged('cms_id'),
    has: sql`case settled.confirms when 'deleted' then null else coalesce(settled.has, records.has) end`,
    delivered_at: sql`case settled.confirms when 'delivered' then ${now} else records.delivered_at end`,
    item: sql`case when settled.confirms = 'unchanged' and settled.unmarked = 0 then records.item else settled.item end`,
    undelivered_files: unlessUnchanged('undelivered_files'),
  }) satisfies Columns;

/** The source has the record as the CMS has it, and knows it under this hash: the next run need not map it again. */
export const noted = {
  source_hash: sql`staged_changes.source_hash`,
  wanted: sql`coalesce(staged_changes.wanted, records.wanted)`,
} satisfies Columns;

/** A key that no source has, which keeps the later one of a record. */
export const asideOf = (key: RawBuilder<unknown>) => sql`'\u0001' || ${key}`;

/** The source is about to give the record another key, which another record may still have. `rekeyed` follows. */
export const setAside = { key: asideOf(sql`staged_changes.key`) } satisfies Columns;

/** The source has given the record another key. */
export const rekeyed = { key: sql`staged_changes.key` } satisfies Columns;

/** The sync of the record was renamed, or has become a source of another one, whose keys begin with `prefix`. */
export const renamed = (sync: string, prefix: string) =>
  ({ sync: sql`${sync}`, ...(prefix !== '' && { key: sql`cast(${prefix} as text) || key` }) }) satisfies Columns;

/**
 * When a record with a newer goal may be claimed. A change of the source does not bring forward the look-up of an unconfirmed
 * create. Nor does it shorten the wait, without an error, for requests of an exited process to arrive.
 */
const retryAt = sql`case
  when records.knows in ('maybe', 'refused') or (records.status = 'pending' and records.error is null)
  then records.retry_at end`;

const anew = { attempts: 0, retry_at: retryAt } satisfies Columns;

/** A plan deletes, marks or restores the item: `staged_changes` is its row. */
export const acted = {
  ...anew,
  ...noError,
  goal: sql`staged_changes.op`,
  expects: sql`staged_changes.expects`,
  status: 'pending',
  run: sql`staged_changes.run`,
  wanted: sql`coalesce(staged_changes.wanted, records.wanted)`,
  source_hash: null,
  // An undo may restore other days.
  starts_on: sql`coalesce(staged_changes.starts_on, records.starts_on)`,
  ends_on: sql`case when staged_changes.starts_on is null then records.ends_on else staged_changes.ends_on end`,
} satisfies Columns;

/** What a plan holds back is not pending. */
const plannedStatus = sql`case when staged_changes.op in ('held', 'failed') then staged_changes.op else 'pending' end`;

/** Editors have deleted the item since the plan was made, and the delivery that noticed it has left it deleted. */
const isDeletedMeanwhile = sql`(
  records.status = 'deleted' and staged_changes.op = 'update' and staged_changes.cms_id is null
)`;
const unlessDeleted = (value: RawBuilder<unknown>, instead: RawBuilder<unknown>) =>
  sql`case when ${isDeletedMeanwhile} then ${instead} else ${value} end`;

/** The plan has seen what the item has. */
const isSeen = sql`(staged_changes.has is not null and (records.cms_id is null or staged_changes.cms_id is null))`;
const ifSeen = (column: 'has' | 'item') => {
  const [seen, known] = [sql.ref(`staged_changes.${column}`), sql.ref(`records.${column}`)];
  return unlessDeleted(sql`case when ${isSeen} then ${seen} else ${known} end`, known);
};

/** A plan changes the desired state: `staged_changes` is its row. An item that the plan has found for the record is adopted. */
export const replanned = {
  ...anew,
  place: sql`staged_changes.place`,
  // Another one only if the CMS has no item of the record.
  resource: sql`staged_changes.resource`,
  goal: 'have',
  expects: sql`staged_changes.expects`,
  status: unlessDeleted(plannedStatus, sql`'deleted'`),
  run: sql`staged_changes.run`,
  wanted: sql`staged_changes.wanted`,
  source_hash: sql`staged_changes.source_hash`,
  starts_on: sql`staged_changes.starts_on`,
  ends_on: sql`staged_changes.ends_on`,
  knows: sql`case when records.cms_id is null and staged_changes.cms_id is not null then 'known' else records.knows end`,
  cms_id: sql`coalesce(records.cms_id, staged_changes.cms_id)`,
  // What was confirmed changes only if an item is adopted, or if a verification has seen it differ.
  has: ifSeen('has'),
  item: ifSeen('item'),
  error: unlessDeleted(sql`staged_changes.error`, sql`records.error`),
  // The plan, or a user, wants them to be tried now.
  undelivered_files: sql`case when staged_changes.retries_files is null then records.undelivered_files
      else json_remove(records.undelivered_files, '$.retryAt') end`,
} satisfies Columns;

/**
 * The statement that adds records that the ledger does not have.
 * @param where the condition that rows of `staged_changes` meet
 */
export function planned(sync: string, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into records (
      sync, key, resource, place, status, run, wanted, starts_on, ends_on, source_hash, knows, cms_id, has, item, expects, error
    )
    select ${sync}, key, resource, place, ${plannedStatus},
      run, wanted, starts_on, ends_on, source_hash, case when cms_id is null then 'none' else 'known' end, cms_id,
      case when cms_id is not null then has end, case when cms_id is not null then item end, expects, error
    from staged_changes where ${where} on conflict (sync, key) do nothing
  `;
}

/** A record that the ledger has lost, and whose item was found by its external id. */
export interface RelinkedRow
  extends Pick<RecordsTable, 'sync' | 'key' | 'resource' | 'place' | 'starts_on' | 'ends_on' | 'has'> {
  cms_id: number;
}

/** The columns of a record of which only the item is known. Its name and its id in the ledger stay. */
const relinkedColumns = {
  ...noError,
  ...{ knows: 'known', status: 'delivered', item: itemColumn({ isAdopted: true }), wanted: null, run: '' },
  ...{ source_hash: null, goal: 'have', expects: null, delivered_at: null },
  ...{ undelivered_files: null, quiet_since: null, attempts: 0, retry_at: null },
  ...returned,
} satisfies Record<Exclude<keyof RecordsTable, 'id' | 'ended_claim' | keyof RelinkedRow>, string | number | null>;

/**
 * The statement that remembers the items of lost records, until their source has the records again or they count as missing.
 * @param isLost the condition that a record meets which the ledger has without its item; another one stays as it is
 */
export function relinked(rows: readonly RelinkedRow[], isLost: RawBuilder<unknown>): RawBuilder<unknown> {
  const own = ['place', 'resource', 'starts_on', 'ends_on', 'cms_id', 'has'] as const;
  const columns = Object.keys(relinkedColumns);
  const constant = Object.values(relinkedColumns).map((value) => sql.lit(value));
  const values = rows.map(
    (row) => sql`(${row.sync}, ${row.key}, ${sql.join([...own.map((name) => row[name]), ...constant])})`,
  );
  const set = [
    ...assignments(unclaimed),
    ...[...own, ...columns].map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`),
  ];
  return sql`
    insert into records (sync, key, ${sql.join([...own, ...columns].map((name) => sql.ref(name)))}) values ${sql.join(values)}
    on conflict (sync, key) do update set ${sql.join(set)} where ${isLost}
  `;
}
