import type { Kysely } from 'kysely';
import type { Payload, Resource } from '../../core/record.ts';
import type { LedgerTables, StagedRow } from '../database/schema.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';

/** A record that a run is about to create. */
export interface StagedCreate {
  key: string;
  resource: Resource;
  payload: Payload;
  attachments: StagedAttachment[];
}

/** Selects the creates of a staged plan. */
export function stagedCreates(run: string, db: Kysely<LedgerTables>) {
  return db
    .selectFrom('staged_changes')
    .select(['key', 'resource', 'desired', 'attachments'])
    .where(({ and }) => and({ run, op: 'create' }));
}

export function toCreate(row: Pick<StagedRow, 'key' | 'resource' | 'desired' | 'attachments'>): StagedCreate {
  return {
    key: row.key,
    resource: row.resource as Resource,
    payload: JSON.parse(row.desired ?? '{}') as Payload,
    attachments: JSON.parse(row.attachments ?? '[]') as StagedAttachment[],
  };
}

export async function changeStaged(
  run: string,
  key: string,
  columns: Partial<StagedRow>,
  db: Kysely<LedgerTables>,
): Promise<void> {
  await db.updateTable('staged_changes').set(columns).where('run', '=', run).where('key', '=', key).execute();
}
