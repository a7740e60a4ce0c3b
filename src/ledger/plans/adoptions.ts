import type { ErrorCode } from '../../core/errors.ts';
import type { Payload } from '../../core/record.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import type { EditorState } from '../records/editor-state.ts';
import { changeStaged, type StagedCreate, stagedCreates, toCreate } from './staged-create.ts';

/** Records in memory at a time. */
const PAGE = 500;

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
