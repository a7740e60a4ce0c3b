import { type Selectable, sql } from 'kysely';
import type { Payload } from '../../core/record.ts';
import { pagesByKey } from '../database/queries.ts';
import type { LedgerDatabase, RecordsTable, StagedChangesTable } from '../database/schema.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';

/** What a plan changes of a published record. Files are represented by their fingerprints. */
export interface PlannedUpdate {
  key: string;
  /** The key that the source gave the record before. */
  formerKey: string;
  changed: string[];
  /** What the last plan wanted; absent: it is unknown what the item has. */
  before?: Payload;
  after: Payload;
  /** The attributes of files. */
  files: string[];
}

/** Staged updates beside what was wanted before. */
export function createUpdateStore({ db }: LedgerDatabase) {
  return { updates, otherContents };

  /** Reads the updates of a staged plan in pages. */
  async function* updates(run: string, sync: string): AsyncGenerator<PlannedUpdate[]> {
    const staged = db
      .selectFrom('staged_changes')
      .innerJoin('records', (join) =>
        join
          .on('records.sync', '=', sync)
          .on('records.key', '=', sql<string>`coalesce(staged_changes.previous_key, staged_changes.key)`),
      )
      .select(['staged_changes.key', 'changed', 'staged_changes.desired', 'staged_changes.attachments'])
      .select(['records.key as former_key', 'knows', 'action', 'records.desired as wanted', 'records.delivered'])
      .select(['records.attachments as wanted_files', 'records.delivered_attachments', 'attributes_before_mark'])
      .where(({ and }) => and({ 'staged_changes.run': run, op: 'update' }))
      .orderBy('staged_changes.key');
    const read = (after: string, limit: number) =>
      staged.where('staged_changes.key', '>', after).limit(limit).execute();
    for await (const rows of pagesByKey(read)) yield rows.map(toUpdate);
  }

  /**
   * Reads in pages what is wanted of the published records that a plan does not update.
   * @param options `all`: also of those that the plan has not read
   */
  async function* otherContents(run: string, sync: string, { all }: { all: boolean }): AsyncGenerator<Payload[]> {
    const staged = sql`select 1 from staged_changes where staged_changes.run = ${run} and staged_changes.key = records.key`;
    const isOther = all
      ? sql`not exists (${staged} and op <> 'unchanged')`
      : sql`exists (${staged} and op = 'unchanged')`;
    const others = db
      .selectFrom('records')
      .select(['key', 'desired'])
      .where('sync', '=', sync)
      .where(sql<boolean>`cms_id is not null and ${isOther}`)
      .orderBy('key');
    const read = (after: string, limit: number) => others.where('key', '>', after).limit(limit).execute();
    for await (const rows of pagesByKey(read)) yield rows.map(({ desired }) => JSON.parse(desired) as Payload);
  }
}

type Row = Pick<Selectable<StagedChangesTable>, 'key' | 'changed' | 'desired' | 'attachments'> & {
  former_key: string;
  wanted: string;
  wanted_files: string;
} & Pick<
    Selectable<RecordsTable>,
    'knows' | 'action' | 'delivered' | 'delivered_attachments' | 'attributes_before_mark'
  >;

function toUpdate(row: Row): PlannedUpdate {
  const before = row.knows === 'found' ? undefined : contentBefore(row);
  const files = filesIn(row.attachments);
  return {
    key: row.key,
    formerKey: row.former_key,
    changed: parsed(row.changed ?? '[]'),
    ...(before && { before }),
    after: { ...files, ...parsed<Payload>(row.desired ?? '{}') },
    files: [...new Set(Object.keys({ ...files, ...parsed<Payload>(row.delivered_attachments ?? '{}') }))],
  };
}

/** The last plan is compared even if its changes are not delivered yet: they were judged then. */
function contentBefore({ action, wanted, wanted_files, ...row }: Row): Payload {
  const delivered = {
    ...parsed<Payload>(row.delivered ?? '{}'),
    ...parsed<Payload>(row.delivered_attachments ?? '{}'),
  };
  // A mark or an undo does not say what the source wants.
  if (action !== null) return { ...delivered, ...parsed<Payload>(row.attributes_before_mark ?? '{}') };
  return { ...delivered, ...filesIn(wanted_files), ...parsed<Payload>(wanted) };
}

function filesIn(attachments: string | null): Payload {
  const files = parsed<StagedAttachment[]>(attachments ?? '[]');
  return Object.fromEntries(
    files.flatMap(({ attribute, fingerprint }) => (fingerprint ? [[attribute, fingerprint]] : [])),
  );
}

function parsed<Value>(column: string): Value {
  return JSON.parse(column) as Value;
}
