import type { ErrorCode } from '../../core/errors.ts';
import type { Payload, Resource } from '../../core/record.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';
import type { EditorState } from '../records/editor-state.ts';

/** Records in memory at a time. */
const PAGE = 500;

/** A record that a run is about to create. */
export interface StagedCreate {
  key: string;
  resource: Resource;
  payload: Payload;
  attachments: StagedAttachment[];
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

/** Turns staged creates into updates of items that the CMS has already. */
export function createAdoptionStore({ db }: LedgerDatabase) {
  return { creates, adopt, hold };

  /** Reads the creates of a staged plan in pages. */
  async function* creates(run: string): AsyncGenerator<StagedCreate[]> {
    for (let seen: string | undefined; ; ) {
      const rows = await pageOf(run, seen);
      yield rows.map((row) => ({
        key: row.key,
        resource: row.resource as Resource,
        payload: JSON.parse(row.desired ?? '{}') as Payload,
        attachments: JSON.parse(row.attachments ?? '[]') as StagedAttachment[],
      }));
      seen = rows.at(-1)?.key;
      if (rows.length < PAGE) return;
    }
  }

  function pageOf(run: string, after: string | undefined) {
    return db
      .selectFrom('staged_changes')
      .select(['key', 'resource', 'desired', 'attachments'])
      .where('run', '=', run)
      .where('op', '=', 'create')
      .$if(after !== undefined, (query) => query.where('key', '>', after ?? ''))
      .orderBy('key')
      .limit(PAGE)
      .execute();
  }

  async function adopt(run: string, adoptions: readonly Adoption[]): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      for (const { key, cmsId, delivered, editorState, changed } of adoptions) {
        await transaction
          .updateTable('staged_changes')
          .set({
            op: 'update',
            cms_id: cmsId,
            delivered: JSON.stringify(delivered),
            editor_state: JSON.stringify(editorState),
            changed: JSON.stringify(changed),
          })
          .where('run', '=', run)
          .where('key', '=', key)
          .execute();
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
        await transaction
          .updateTable('staged_changes')
          .set({ op: 'held', error_code: code, error_reason: reason })
          .where('run', '=', run)
          .where('key', '=', key)
          .execute();
      }
    });
  }
}
