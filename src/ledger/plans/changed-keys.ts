import type { Payload, Resource } from '../../core/record.ts';
import type { LedgerDatabase, StagedRow } from '../database/schema.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';
import { type KnownRecord, knownColumns, toKnown } from '../records/known-record.ts';

/** A record that a run has not seen, and that is in the CMS, or was deleted there. */
export interface UnreadRecord extends KnownRecord {
  key: string;
  resource: Resource;
  /** What tells it: its content as it was delivered, or was to be; of what is marked, as it was before. */
  content: Payload;
}

/** A record that a run has staged as new and that the ledger has never had. */
export interface NewRecord {
  key: string;
  resource: Resource;
  payload: Payload;
  attachments: StagedAttachment[];
}

/** What it takes to recognise records whose keys have changed. */
export function createRelinkStore({ db }: LedgerDatabase) {
  return { recordsNotRead, newRecords, changeKey };

  async function recordsNotRead(run: string, sync: string): Promise<UnreadRecord[]> {
    const rows = await db
      .selectFrom('records')
      .select(['key', 'resource', ...knownColumns])
      .where('sync', '=', sync)
      .where(({ or, eb }) => or([eb('cms_id', 'is not', null), eb('status', '=', 'deleted')]))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('staged_changes')
              .select('staged_changes.key')
              .where('staged_changes.run', '=', run)
              .whereRef('staged_changes.key', '=', 'records.key'),
          ),
        ),
      )
      .execute();
    return rows.map((row) => ({
      ...toKnown(row),
      key: row.key,
      resource: row.resource as Resource,
      content: {
        ...JSON.parse(row.delivered ?? row.desired),
        ...JSON.parse(row.attributes_before_mark ?? '{}'),
      } as Payload,
    }));
  }

  async function newRecords(run: string, sync: string): Promise<NewRecord[]> {
    const rows = await db
      .selectFrom('staged_changes')
      .select(['key', 'resource', 'desired', 'attachments'])
      .where('run', '=', run)
      .where('op', '=', 'create')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('records')
              .select('records.key')
              .where('records.sync', '=', sync)
              .whereRef('records.key', '=', 'staged_changes.key'),
          ),
        ),
      )
      .execute();
    return rows.map((row) => ({
      key: row.key,
      resource: row.resource as Resource,
      payload: JSON.parse(row.desired ?? '{}') as Payload,
      attachments: JSON.parse(row.attachments ?? '[]') as StagedAttachment[],
    }));
  }

  /** Notes that a staged record is one that the ledger has under another key; applying the plan moves it. */
  async function changeKey(
    run: string,
    { from, to, planned }: { from: string; to: string; planned: Partial<StagedRow> },
  ): Promise<void> {
    await db
      .updateTable('staged_changes')
      .set({ previous_key: from, ...planned })
      .where('run', '=', run)
      .where('key', '=', to)
      .execute();
  }
}
