import { type Selectable, sql } from 'kysely';
import type { Payload } from '../../core/record.ts';
import { appliesFeed } from '../database/conditions.ts';
import { type DeliveredColumns, deliveredIn, itemIn } from '../database/item-state.ts';
import { pagesAfter, pagesByKey, payloadIn } from '../database/queries.ts';
import type {
  AttemptsTable,
  LedgerDatabase,
  RecordContents,
  RecordsTable,
  RunRow,
  StagedContents,
} from '../database/schema.ts';
import { all } from '../database/statements.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';

/** What a plan changes of a published record. Files are represented by their fingerprints. */
export interface PlannedUpdate {
  key: string;
  /** The key that the source gave the record before. */
  formerKey: string;
  series?: string;
  changed: string[];
  /** What the last plan wanted; absent: it is unknown what the item has. */
  before?: Payload;
  after: Payload;
  /** The attributes of files. */
  files: string[];
}

/** What a run has changed of a record. */
export interface RecentUpdate {
  key: string;
  series?: string;
  /** The attributes that it has sent, as they were before. */
  before: Payload;
  /** What was delivered last. */
  after: Payload;
}

/** Staged updates beside what was wanted before. */
export function createUpdateStore({ db, now }: LedgerDatabase) {
  return { updates, recentUpdates, otherContents };

  /** Reads the updates of a staged plan in pages. */
  async function* updates(run: string, sync: string): AsyncGenerator<PlannedUpdate[]> {
    const read = (after: string, limit: number) => all<Row>(db)`
      select staged_changes.key, changed, staged_changes.desired, staged_changes.attachments, staged_changes.series,
        records.key as former_key, knows, goal, records.desired as known, records.delivered,
        records.attachments as known_files, records.item
      from staged_contents as staged_changes
        join record_contents as records on records.sync = ${sync}
          and records.key = coalesce(staged_changes.previous_key, staged_changes.key)
      where staged_changes.run = ${run} and op = 'update' and staged_changes.key > ${after}
      order by staged_changes.key limit ${limit}
    `;
    for await (const rows of pagesByKey(read)) yield rows.map(toUpdate);
  }

  /**
   * Reads in pages what runs of the last `ms` have changed of records that a plan does not update: since the last approval, and
   * since the first run with the present config, because a person expects those changes.
   */
  async function* recentUpdates(run: string, sync: string, ms: number): AsyncGenerator<RecentUpdate[]> {
    const since = await expectedUntil(run, sync, ms);
    const read = ({ record, seq }: { record: number; seq: number }, limit: number) => all<RecentRow>(db)`
      select key, series, attempts.record, attempts.seq, attempts.before, attempts.replaced, records.delivered, records.item
      from attempts join runs on runs.id = attempts.run join record_contents as records on records.id = attempts.record
      where records.sync = ${sync} and attempts.outcome = 'updated' and attempts.before is not null
        and records.has is not null
        and runs.kind in ('run', 'retry') and runs.sync = ${sync} and runs.started_at > ${since}
        and not exists (select 1 from staged_changes where run = ${run} and key = records.key and op = 'update')
        and (attempts.record, attempts.seq) > (cast(${record} as bigint), cast(${seq} as bigint))
      order by attempts.record, attempts.seq limit ${limit}
    `;
    for await (const rows of pagesAfter({ record: 0, seq: 0 }, read)) {
      yield rows.map(({ key, series, before, replaced, ...has }) => {
        return {
          key,
          series: series ?? undefined,
          before: { ...payloadIn(before), ...payloadIn(replaced) },
          after: deliveredIn(has) ?? {},
        };
      });
    }
  }

  /** Until when, in ms since 1970, a person expects the changes of the last `ms`: until an approval, or another config. */
  async function expectedUntil(run: string, sync: string, ms: number): Promise<number> {
    const start = sql<number>`${now} - cast(${ms} as bigint)`;
    const configOf = ({ fingerprint }: { fingerprint: string | null }) => fingerprint?.split('.')[3];
    const runs = await all<Pick<RunRow, 'kind' | 'started_at' | 'fingerprint'> & { start: number }>(db)`
      select kind, started_at, fingerprint, ${start} as start from runs
      where sync = ${sync} and id <> ${run} and fingerprint is not null and ${appliesFeed} and started_at > ${start}
      order by started_at desc, id desc
    `;
    const [latest] = runs;
    if (!latest) return 0;
    const expected = runs.findIndex((each) => each.kind === 'approve' || configOf(each) !== configOf(latest));
    if (expected === -1) return latest.start;
    const first = runs[expected]?.kind === 'approve' ? runs[expected] : runs[expected - 1];
    return first?.started_at ?? latest.started_at;
  }

  /**
   * Reads in pages what is wanted of the published records that a plan does not update.
   * @param options `all`: also of those that the plan has not read
   */
  async function* otherContents(
    run: string,
    sync: string,
    { all: isAll }: { all: boolean },
  ): AsyncGenerator<Payload[]> {
    const staged = sql`select 1 from staged_changes where staged_changes.run = ${run} and staged_changes.key = records.key`;
    const isOther = isAll
      ? sql`not exists (${staged} and op <> 'unchanged')`
      : sql`exists (${staged} and op = 'unchanged')`;
    const read = (after: string, limit: number) => all<Pick<RecordContents, 'key' | 'desired' | 'attachments'>>(db)`
      select key, desired, attachments from record_contents as records
      where sync = ${sync} and cms_id is not null and ${isOther} and key > ${after} order by key limit ${limit}
    `;
    for await (const rows of pagesByKey(read)) {
      yield rows.map(({ desired, attachments }) => ({ ...filesIn(attachments), ...parsed<Payload>(desired) }));
    }
  }
}

type RecentRow = Pick<AttemptsTable, 'record' | 'seq' | 'before' | 'replaced'> &
  Pick<RecordContents, 'key' | 'series'> &
  DeliveredColumns;

type Row = Pick<Selectable<StagedContents>, 'key' | 'changed' | 'desired' | 'attachments' | 'series'> & {
  former_key: string;
  known: string;
  known_files: string;
} & Pick<Selectable<RecordsTable>, 'knows' | 'goal'> &
  DeliveredColumns;

function toUpdate(row: Row): PlannedUpdate {
  const before = row.knows === 'found' ? undefined : contentBefore(row);
  const files = filesIn(row.attachments);
  return {
    key: row.key,
    formerKey: row.former_key,
    series: row.series ?? undefined,
    changed: parsed(row.changed ?? '[]'),
    ...(before && { before }),
    after: { ...files, ...parsed<Payload>(row.desired ?? '{}') },
    files: [...new Set(Object.keys({ ...files, ...itemIn(row.item).deliveredAttachments }))],
  };
}

/** The last plan is compared even if its changes are not delivered yet: they were judged then. */
function contentBefore({ goal, known, known_files, ...row }: Row): Payload {
  const { deliveredAttachments, attributesBeforeMark } = itemIn(row.item);
  const delivered = { ...deliveredIn(row), ...deliveredAttachments };
  // A mark or an undo does not say what the source wants.
  if (goal !== 'have' && goal !== 'leave') return { ...delivered, ...attributesBeforeMark };
  return { ...delivered, ...filesIn(known_files), ...parsed<Payload>(known) };
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
