import type { Kysely } from 'kysely';
import type { ErrorCode } from '../../core/errors.ts';
import type { Payload, Resource } from '../../core/record.ts';
import type { LedgerDatabase, LedgerTables, StagedRow } from '../database/schema.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';
import type { EditorState } from '../records/editor-state.ts';

/** Records in memory at a time. */
const PAGE = 500;

export type StagedCreate = ReturnType<typeof toCreate>;

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

/** Turns staged creates into updates of items that the CMS has already. */
export function createAdoptionStore({ db }: LedgerDatabase) {
  return { creates, adopt, hold };

  /** Reads the creates of a staged plan in pages. */
  async function* creates(run: string): AsyncGenerator<StagedCreate[]> {
    for (let after = ''; ; ) {
      const rows = await stagedCreates(run, db).where('key', '>', after).orderBy('key').limit(PAGE).execute();
      yield rows.map(toCreate);
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.key ?? after;
    }
  }

  async function adopt(run: string, adoptions: readonly Adoption[]): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      for (const { key, cmsId, delivered, editorState, changed } of adoptions) {
        const columns = {
          cms_id: cmsId,
          delivered: JSON.stringify(delivered),
          editor_state: JSON.stringify(editorState),
          changed: JSON.stringify(changed),
        };
        await changeStaged(run, key, { op: 'update', ...columns }, transaction);
      }
    });
  }

  /** Holds creates back. */
  async function hold(
    run: string,
    holds: ReadonlyArray<{ key: string; code: ErrorCode; reason: string }>,
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      for (const { key, code, reason } of holds) {
        await changeStaged(run, key, { op: 'held', error_code: code, error_reason: reason }, transaction);
      }
    });
  }
}

/** Selects the creates of a staged plan. */
export function stagedCreates(run: string, db: Kysely<LedgerTables>) {
  const creates = db.selectFrom('staged_changes').where(({ and }) => and({ run, op: 'create' }));
  return creates.select(['key', 'resource', 'desired', 'attachments']);
}

/** A record that a run is about to create. */
export function toCreate({
  key,
  resource,
  desired,
  attachments,
}: Pick<StagedRow, 'key' | 'resource' | 'desired' | 'attachments'>) {
  return {
    key,
    resource: resource as Resource,
    payload: JSON.parse(desired ?? '{}') as Payload,
    attachments: JSON.parse(attachments ?? '[]') as StagedAttachment[],
  };
}

/** Changes one row of a staged plan. */
export async function changeStaged(run: string, key: string, columns: Partial<StagedRow>, db: Kysely<LedgerTables>) {
  await db
    .updateTable('staged_changes')
    .set(columns)
    .where(({ and }) => and({ run, key }))
    .execute();
}
