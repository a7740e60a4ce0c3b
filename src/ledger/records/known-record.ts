import { type Selectable, sql } from 'kysely';
import type { ErrorCode } from '../../core/errors.ts';
import { type Payload, unknown } from '../../core/record.ts';
import { deliveredIn, type EditorState, itemIn } from '../database/item-state.ts';
import { errorIn } from '../database/record-error.ts';
import type { LedgerDatabase, RecordContents } from '../database/schema.ts';
import { filesIn, type UndeliveredFiles } from '../database/undelivered-files.ts';
import type { StagedAttachment } from './claimed-record.ts';
import { inDoubt, type OpenAttempt } from './open-attempts.ts';
import { readOpenAttempts } from './opening.ts';

/** What the ledger knows of a record, for the comparison with a new reading. */
export interface KnownRecord {
  payload: Payload | null;
  fingerprints: Record<string, string>;
  cmsId: number | null;
  editorState: EditorState;
  /** A change of the item was not confirmed: the attributes that it may have changed are `UNKNOWN`. */
  isUnconfirmed: boolean;
  /** The last plan wanted a change that was not delivered. */
  isUndelivered?: true;
  /** A delete of the item may have been applied. */
  mayBeGone?: true;
  /** The values that the mark of the item replaced; absent: the item is not marked. */
  marked?: Payload;
  /** The item was deleted in the CMS and is not created again. */
  deleted?: { code: ErrorCode; reason: string };
  /** The CMS has refused the record. */
  refusal?: Refusal;
  /** The files that the item was delivered without; absent: none. */
  undeliveredFiles?: UndeliveredFiles;
  /** Attribute → the undelivered file (see `fileIdOf`) that is not to be tried yet. */
  waitingFiles?: Record<string, string>;
  /** JSON array: the files that the source had last. */
  attachments?: string;
  /** The source no longer has the record. */
  isMissing?: true;
}

/** The content that the CMS refused for good (see `refusalHash`), and the reason that it gave. */
export interface Refusal {
  hash: string;
  code: ErrorCode;
  reason: string;
  /** Key of the record whose item has a value that the CMS takes once only. */
  by?: string;
  /** The password that was sent with the record, encrypted. */
  password: string | null;
}

const columns = [
  'id',
  'sync',
  'key',
  'attachments',
  'knows',
  'delivered',
  'cms_id',
  'item',
  'status',
  'error',
  'password',
  'missing_since',
  'undelivered_files',
] as const satisfies ReadonlyArray<keyof RecordContents>;

export type KnownRow = Pick<Selectable<RecordContents>, (typeof columns)[number]>;

/** The columns of `withKnown`. */
export const knownColumns = sql.join(columns.map((column) => sql.ref(column)));

/** Adds to rows of records what is known of them. Reads the open attempts of undelivered records only: others have none. */
export async function withKnown<Row extends KnownRow>(
  rows: readonly Row[],
  database: Pick<LedgerDatabase, 'db' | 'runtime'>,
): Promise<Array<{ row: Row; known: KnownRecord }>> {
  const open = await readOpenAttempts(
    rows.filter(({ status, cms_id }) => status !== 'delivered' && cms_id !== null),
    database.db,
  );
  const now = database.runtime.now();
  return rows.map((row) => ({ row, known: toKnown(row, open.get(row.id) ?? [], now) }));
}

function toKnown(row: KnownRow, open: readonly OpenAttempt[], now: number): KnownRecord {
  const { knows, status, password } = row;
  const { code, reason, refused: hash, refusedBy: by } = errorIn(row.error) ?? { code: 'FF_BUG' as const, reason: '' };
  const { editorState, attributesBeforeMark: marked } = itemIn(row.item);
  return {
    ...contentOf(row, open),
    isUnconfirmed: open.length > 0 || knows === 'found',
    cmsId: row.cms_id,
    editorState,
    ...(status === 'delivered' ? {} : { isUndelivered: true }),
    ...(knows === 'maybeGone' ? { mayBeGone: true } : {}),
    ...(marked && { marked }),
    ...(status === 'deleted' ? { deleted: { code, reason } } : {}),
    ...(status === 'failed' && hash !== undefined
      ? { refusal: { code, reason, hash, password, ...(by !== undefined && { by }) } }
      : {}),
    ...undelivered(row, now),
    attachments: row.attachments,
    ...(row.missing_since === null ? {} : { isMissing: true }),
  };
}

function undelivered(row: KnownRow, now: number): Pick<KnownRecord, 'undeliveredFiles' | 'waitingFiles'> {
  const incomplete = filesIn(row.undelivered_files, now);
  if (!incomplete) return {};
  const undeliveredFiles = incomplete.files;
  if (incomplete.retryAfterMs === 0) return { undeliveredFiles };
  const waiting = Object.entries(undeliveredFiles).map(([attribute, { file }]) => [attribute, file]);
  return { undeliveredFiles, waitingFiles: Object.fromEntries(waiting) };
}

/** The content of the item. The content of an item that was found, but not written yet, is unknown. */
function contentOf(row: KnownRow, open: readonly OpenAttempt[]): Pick<KnownRecord, 'payload' | 'fingerprints'> {
  const fingerprints = itemIn(row.item).deliveredAttachments;
  const payload = deliveredIn(row);
  if (payload) return inDoubt({ payload, fingerprints }, open);
  if (row.cms_id === null) return { payload: null, fingerprints };
  const files = (JSON.parse(row.attachments) as StagedAttachment[]).map(({ attribute }) => attribute);
  return { payload: null, fingerprints: { ...fingerprints, ...unknown(files) } };
}

/** Lists the files that a record wants, and whether the CMS has them. */
export function wantedFilesIn(row: Pick<RecordContents, 'attachments' | 'item' | 'undelivered_files' | 'status'>) {
  const delivered = itemIn(row.item).deliveredAttachments;
  const lacking = filesIn(row.undelivered_files, 0)?.files ?? {};
  return (JSON.parse(row.attachments) as StagedAttachment[]).map(({ attribute, source, fingerprint }) => {
    const file = delivered[attribute];
    // The plan may not have known the content of the file, or may not have been able to read it at all.
    const isWanted = fingerprint === undefined ? row.status === 'delivered' : file?.startsWith(fingerprint);
    return { attribute, source, isDelivered: Boolean(file && isWanted && !Object.hasOwn(lacking, attribute)) };
  });
}
