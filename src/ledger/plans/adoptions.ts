import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { ErrorCode, RecordAnswer } from '../../core/errors.ts';
import type { Occurrence, Payload, Resource } from '../../core/record.ts';
import { isWithoutItem } from '../database/conditions.ts';
import type { ForRows } from '../database/for-rows.ts';
import { type EditorState, itemColumn } from '../database/item-state.ts';
import { pagesByKey } from '../database/queries.ts';
import { errorColumn, hasError } from '../database/record-error.ts';
import type { LedgerDatabase, StagedContents } from '../database/schema.ts';
import { all, cell, change, only } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';
import { addContents } from '../records/contents.ts';
import { relinked } from '../records/transitions.ts';

/** Number of records in one statement. */
const PAGE = 500;

export type StagedCreate = ReturnType<typeof toCreate>;

/** A create, and whether the ledger can know its item. */
export interface Newcomer extends StagedCreate {
  /** The ledger does not know the record, or its item may be in the CMS again. */
  isUnseen: boolean;
  /** The ledger knows neither an item of the record nor a request that may have created one. */
  isUnsent: boolean;
  /** It was held because its item may exist: a retry looks it up. */
  isAmbiguous: boolean;
  /** The undo of a delete. */
  isUndo: boolean;
}

/** The CMS item that a record adopts. */
export interface Adoption {
  key: string;
  cmsId: number;
  /** Values of the item in the attributes of the record. */
  delivered: Payload;
  editorState: EditorState;
  /** Names of the attributes that will be sent. */
  changed: readonly string[];
}

/** An item that has the external id of a record that is not in the ledger. */
export interface LostItem extends Pick<Adoption, 'key' | 'cmsId'> {
  resource: Resource;
  /** The attribute with the external id. */
  delivered: Record<string, unknown>;
  /** First and last day of an event. */
  days?: [string, string];
}

/** Turns staged creates into updates of items that the CMS has already. */
export function createAdoptionStore({ db, forRows }: LedgerDatabase) {
  return { newcomers, unreviewed, unseenCreates, adopt, hold, noteDistinct, skip, relink };

  /** Reads the creates of a staged plan in pages, with what the ledger knows of their records. */
  async function* newcomers(run: string, sync: string): AsyncGenerator<Newcomer[]> {
    const flag = (condition: RawBuilder<boolean>) => sql`case when ${condition} then 1 else 0 end`;
    const flags = sql`expects, ${flag(isUnseen(sync))} as unseen, ${flag(isUnsent(sync))} as unsent,
      ${flag(isHeldAmbiguous(sync))} as ambiguous`;
    const read = (after: string, limit: number) =>
      stagedRows<NewcomerColumns>(run, db, sql`op = 'create' and key > ${after} order by key limit ${limit}`, flags);
    for await (const rows of pagesByKey(read)) yield rows.map(toNewcomer);
  }

  /**
   * The new records that a plan creates and that a person has left out, in pages. What undoes a delete is not new.
   * @param isAsked also those that nobody has said are published
   */
  async function* unreviewed(
    run: string,
    sync: string,
    { isAsked }: { isAsked: boolean },
  ): AsyncGenerator<UnreviewedCreate[]> {
    // What the CMS may have had is not new, and who has called a record different from others has seen it.
    const said = sql`(
      select coalesce(
        (select answer from questions where record = records.id and kind = 'review'),
        case when knows not in ('none', 'refused') or status in ('removed', 'deleted') then 'publish' end,
        (select 'publish' from questions where record = records.id and answer = 'distinct' limit 1)
      ) from records where records.sync = ${sync} and records.key = staged_changes.key
    )`;
    const read = (after: string, limit: number) =>
      stagedRows<{ said: RecordAnswer | null }>(
        run,
        db,
        sql`op = 'create' and expects is null and coalesce(${said}, ${isAsked ? 'leave' : 'publish'}) = 'leave' and key > ${after} order by key limit ${limit}`,
        sql`${said} as said`,
      );
    for await (const rows of pagesByKey(read))
      yield rows.map((row) => ({ ...toCreate(row), isLeft: row.said === 'leave' }));
  }

  /**
   * Counts the creates of a plan whose items the ledger cannot know.
   * @param keys `marked` counts the creates with these keys, also those of records that were never sent
   * @returns also `known`: the other records of the sync, counted up to as many; `returning`: records whose search was
   * ambiguous, or whose item was deleted: a restored CMS may have it again
   */
  async function unseenCreates(run: string, sync: string, keys: readonly string[]) {
    const isMarked = isOneOf('staged_changes.key', keys);
    const { unseen, ...counts } = await only<{ unseen: number; returning: number; marked: number }>(db)`
      select count(case when ${isUnseen(sync)} then 1 end) as unseen, count(case when ${isReturning} then 1 end) as "returning",
        count(case when ${isMarked} then 1 end) as marked
      from staged_changes left join records on records.sync = ${sync} and records.key = staged_changes.key
      where staged_changes.run = ${run} and op = 'create' and ${isUnsent(sync)}
    `;
    const known = await cell<number>(db)`
      select count(*) from (
        select 1 from records where sync = ${sync} and wanted is not null and not ${isReturning} limit ${unseen}
      ) as seen
    `;
    return { unseen, known: known ?? 0, ...counts };
  }

  /**
   * Remembers items whose records the ledger has lost, or believes to be removed, until their source has the records again or
   * they count as missing.
   * @param reader the run that has listed the items: its list may still show items that were removed since it began, and copies that
   * editors have made of them. Absent: a person has decided that the items belong to the records
   */
  async function relink(sync: string, items: readonly LostItem[], reader?: string): Promise<void> {
    for (let start = 0; start < items.length; start += PAGE) {
      const page = items.slice(start, start + PAGE);
      const wasGone =
        reader === undefined ? isGone : sql`(${isGone} and ${isSettledBefore(reader)} and ${wasItsItem(page)})`;
      const isOfThese = sql`records.sync = ${sync} and ${isOneOf(
        'records.key',
        page.map(({ key }) => key),
      )}`;
      await db.transaction().execute(async (transaction) => {
        const contents = page.map(({ delivered }) => ({ payload: JSON.stringify(delivered) }));
        const ids = await addContents(transaction, contents, { forRows });
        const rows = page.map(({ key, cmsId, resource, days = [] }, index) => ({
          ...{ sync, key, resource, place: `item ${cmsId} of the CMS`, cms_id: cmsId, has: ids[index] ?? null },
          ...{ starts_on: days[0] ?? null, ends_on: days[1] ?? null },
        }));
        const lost = sql`select id from records where ${isOfThese} and ${wasGone}`;
        await change(transaction)`update attempts set doubt = null, body = null where record in (${lost})`;
        await change(transaction)`delete from passwords where record in (${lost})`;
        await relinked(rows, wasGone).execute(transaction);
        // The others belong to records that were not lost.
        const taken = sql`select has from records where ${isOfThese} and has is not null`;
        await change(transaction)`delete from contents where ${isOneOf('id', ids)} and id not in (${taken})`;
      });
    }
  }

  async function adopt(run: string, adoptions: readonly Adoption[]): Promise<void> {
    const contents = adoptions.map(({ delivered }) => ({ payload: JSON.stringify(delivered) }));
    await db.transaction().execute(async (transaction) => {
      const ids = await addContents(transaction, contents, { forRows });
      const rows = adoptions.map(({ key, cmsId, editorState, changed }, index) => ({
        ...{ key, op: 'update', cms_id: cmsId, source_hash: null, has: ids[index] ?? null },
        item: itemColumn({ isAdopted: true, editorState }),
        changed: JSON.stringify(changed),
      }));
      await changeStaged(transaction, run, rows, forRows);
    });
  }

  /** Holds creates and updates back; what a plan holds already waits for that answer first. */
  async function hold(run: string, holds: readonly HeldChange[]): Promise<void> {
    await db.transaction().execute((transaction) => holdStaged(transaction, run, holds, forRows));
  }

  /** Notes that the person who approves the plan says that creates are not the items that they look like. */
  async function noteDistinct(
    run: string,
    creates: ReadonlyArray<Required<Pick<HeldChange, 'key' | 'aboutHash'>>>,
  ): Promise<void> {
    const rows = creates.map(({ key, aboutHash }) => ({ key, asked_about: 0, asked_hash: aboutHash }));
    await db.transaction().execute((transaction) => changeStaged(transaction, run, rows, forRows));
  }

  /** Leaves creates out: the site has what they would create. */
  async function skip(run: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await change(db)`update staged_changes set op = 'skipped' where run = ${run} and ${isOneOf('key', keys)}`;
  }
}

const isReturning = sql<boolean>`(
  records.status in ('removed', 'deleted') or (records.status = 'held' and ${hasError('FF_ADOPT_AMBIGUOUS')})
)`;

/** According to the ledger, the record has no item, and no running run counts the record. */
const isGone = sql<boolean>`(
  (${isWithoutItem} or records.status = 'deleted')
  and not exists (select 1 from runs where runs.id = records.run and runs.status = 'running')
)`;

function isSettledBefore(run: string) {
  return sql`coalesce(records.quiet_since, 0) < (select started_at from runs where id = ${run})`;
}

/** One of these items was that of the record. Another one with its external id may be an editor's copy. */
function wasItsItem(items: ReadonlyArray<Pick<LostItem, 'key' | 'cmsId'>>) {
  const pairs = items.map(({ key, cmsId }) => sql`(${key}, ${cmsId})`);
  return sql`exists (
    select 1 from attempts where attempts.record = records.id and (records.key, attempts.cms_id) in (${sql.join(pairs)})
  )`;
}

const isUnseen = (sync: string) => sql<boolean>`not ${hasRecord(sync, sql`not ${isReturning}`)}`;

/** The ledger knows neither an item of the record nor a request that may have created one. */
const isUnsent = (sync: string) =>
  sql<boolean>`not ${hasRecord(sync, sql`not ${isReturning} and records.knows <> 'none'`)}`;

const isHeldAmbiguous = (sync: string) =>
  hasRecord(sync, sql`records.status = 'held' and ${hasError('FF_ADOPT_AMBIGUOUS')}`);

function hasRecord(sync: string, condition: RawBuilder<unknown>) {
  return sql<boolean>`exists (
    select 1 from records where records.sync = ${sync} and records.key = staged_changes.key and ${condition}
  )`;
}

type CreateColumns = Pick<StagedContents, 'key' | 'resource' | 'desired' | 'attachments' | 'series' | 'slot'>;

/** Reads rows of a staged plan. @param selection conditions and, perhaps, the order of the rows and how many there are */
export function stagedRows<More = unknown>(
  run: string,
  db: QueryExecutorProvider,
  selection: RawBuilder<unknown>,
  more = sql`1 as one`,
): Promise<Array<CreateColumns & More>> {
  return all<CreateColumns & More>(db)`
    select key, resource, desired, attachments, series, slot, ${more} from staged_contents as staged_changes
    where staged_changes.run = ${run} and ${selection}
  `;
}

/** A record that a run is about to create. */
export function toCreate({ key, resource, desired, attachments, series, slot }: CreateColumns) {
  return {
    key,
    resource: resource as Resource,
    payload: JSON.parse(desired ?? '{}') as Payload,
    attachments: JSON.parse(attachments ?? '[]') as StagedAttachment[],
    ...toOccurrence({ series, slot }),
  };
}

type NewcomerColumns = Pick<StagedContents, 'expects'> & { unseen: number; unsent: number; ambiguous: number };

function toNewcomer({ unseen, unsent, ambiguous, expects, ...row }: CreateColumns & NewcomerColumns): Newcomer {
  const isUndo = expects !== null;
  return { ...toCreate(row), isUnseen: unseen === 1, isUnsent: unsent === 1, isAmbiguous: ambiguous === 1, isUndo };
}

/** Reads the columns of an occurrence. */
export function toOccurrence({ series, slot }: Pick<StagedContents, 'series' | 'slot'>): { occurrence?: Occurrence } {
  return series && slot ? { occurrence: { series, slot } } : {};
}

/** A record that a plan would create; `isLeft`: a person has said that it is never published. */
type UnreviewedCreate = StagedCreate & { isLeft: boolean };

/** A create or update that a plan holds back, and why. */
export interface HeldChange {
  key: string;
  code: ErrorCode;
  reason: string;
  /** Hash of its look, if a person is asked whether it is an item that looks like it. */
  aboutHash?: string;
}

export function holdStaged(
  transaction: QueryExecutorProvider,
  run: string,
  holds: readonly HeldChange[],
  forRows: ForRows,
): Promise<void> {
  const rows = holds.map(({ key, code, reason, aboutHash }) => ({
    ...{ key, op: 'held', error: errorColumn({ code, reason }) },
    ...{ asked_about: aboutHash === undefined ? null : 0, asked_hash: aboutHash ?? null },
  }));
  return changeStaged(transaction, run, rows, forRows, sql`staged_changes.op in ('create', 'update')`);
}

/**
 * Changes rows of a staged plan.
 * @param rows the keys, and the new values of the same columns for all
 * @param condition of those that are changed
 */
export async function changeStaged(
  transaction: QueryExecutorProvider,
  run: string,
  rows: ReadonlyArray<Readonly<Record<string, string | number | null>> & { key: string }>,
  forRows: ForRows,
  condition = sql`1 = 1`,
): Promise<void> {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'key');
  const values = sql.join(names.map((name) => sql`${sql.ref(name)} = changed.${sql.ref(name)}`));
  const update = (table: RawBuilder<unknown>) => sql`
    update staged_changes set ${values} from ${table} as changed
    where staged_changes.run = ${sql.lit(run)} and staged_changes.key = changed.key and ${condition}`;
  await forRows(transaction, rows, update, ['cms_id', 'asked_about', 'wanted', 'has']);
}
