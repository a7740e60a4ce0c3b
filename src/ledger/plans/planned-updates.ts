import { type Selectable, sql } from 'kysely';
import type { Payload } from '../../core/record.ts';
import { appliesFeed } from '../database/conditions.ts';
import { type DeliveredColumns, deliveredIn, itemIn } from '../database/item-state.ts';
import { pagesAfter, pagesByKey, payloadIn } from '../database/queries.ts';
import type { LedgerDatabase, RecordsTable, StagedContents } from '../database/schema.ts';
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
    const staged = db
      .selectFrom('staged_contents as staged_changes')
      .innerJoin('record_contents as records', (join) =>
        join
          .on('records.sync', '=', sync)
          .on('records.key', '=', sql<string>`coalesce(staged_changes.previous_key, staged_changes.key)`),
      )
      .select([
        'staged_changes.key',
        'changed',
        'staged_changes.desired',
        'staged_changes.attachments',
        'staged_changes.series',
      ])
      .select(['records.key as former_key', 'knows', 'goal', 'records.desired as known', 'records.delivered'])
      .select(['records.attachments as known_files', 'records.item'])
      .where(({ and }) => and({ 'staged_changes.run': run, op: 'update' }))
      .orderBy('staged_changes.key');
    const read = (after: string, limit: number) =>
      staged.where('staged_changes.key', '>', after).limit(limit).execute();
    for await (const rows of pagesByKey(read)) yield rows.map(toUpdate);
  }

  /**
   * Reads in pages what runs of the last `ms` have changed of records that a plan does not update: since the last approval, and
   * since the first run with the present config, because a person expects those changes.
   */
  async function* recentUpdates(run: string, sync: string, ms: number): AsyncGenerator<RecentUpdate[]> {
    const since = await expectedUntil(run, sync, ms);
    const recent = db
      .selectFrom('attempts')
      .innerJoin('runs', 'runs.id', 'attempts.run')
      .innerJoin('record_contents as records', 'records.id', 'attempts.record')
      .select([
        'key',
        'series',
        'attempts.record',
        'attempts.seq',
        'attempts.before',
        'attempts.replaced',
        'records.delivered',
        'records.item',
      ])
      .where(({ and }) => and({ 'records.sync': sync, 'attempts.outcome': 'updated' }))
      .where('attempts.before', 'is not', null)
      .where('records.has', 'is not', null)
      .where('runs.kind', 'in', ['run', 'retry'])
      .where('runs.sync', '=', sync)
      .where('runs.started_at', '>', since)
      .where(
        sql<boolean>`not exists (select 1 from staged_changes where run = ${run} and key = records.key and op = 'update')`,
      )
      .orderBy('attempts.record')
      .orderBy('attempts.seq');
    const read = ({ record, seq }: { record: number; seq: number }, limit: number) => {
      const isNext = sql<boolean>`(attempts.record, attempts.seq) > (cast(${record} as bigint), cast(${seq} as bigint))`;
      return recent.where(isNext).limit(limit).execute();
    };
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
    const runs = await db
      .selectFrom('runs')
      .select(['kind', 'started_at', 'fingerprint', start.as('start')])
      .where('sync', '=', sync)
      .where('id', '<>', run)
      .where('fingerprint', 'is not', null)
      .where(appliesFeed)
      .where('started_at', '>', start)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
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
  async function* otherContents(run: string, sync: string, { all }: { all: boolean }): AsyncGenerator<Payload[]> {
    const staged = sql`select 1 from staged_changes where staged_changes.run = ${run} and staged_changes.key = records.key`;
    const isOther = all
      ? sql`not exists (${staged} and op <> 'unchanged')`
      : sql`exists (${staged} and op = 'unchanged')`;
    const others = db
      .selectFrom('record_contents as records')
      .select(['key', 'desired', 'attachments'])
      .where('sync', '=', sync)
      .where(sql<boolean>`cms_id is not null and ${isOther}`)
      .orderBy('key');
    const read = (after: string, limit: number) => others.where('key', '>', after).limit(limit).execute();
    for await (const rows of pagesByKey(read)) {
      yield rows.map(({ desired, attachments }) => ({ ...filesIn(attachments), ...parsed<Payload>(desired) }));
    }
  }
}

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
