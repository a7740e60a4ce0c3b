import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import type { ErrorCode } from '../../core/errors.ts';
import { type Payload, unknown } from '../../core/record.ts';
import type { RecordsTable } from '../database/schema.ts';
import type { StagedAttachment } from './claimed-record.ts';
import { type EditorState, toEditorState } from './editor-state.ts';

/** What the ledger knows of a record, for the comparison with a new reading. */
export interface KnownRecord {
  payload: Payload | null;
  fingerprints: Record<string, string>;
  cmsId: number | null;
  editorState: EditorState;
  /** The last change was not confirmed: the attributes that it may have changed are `UNKNOWN`. */
  isUnsettled: boolean;
  /** A delete of the item may have been applied. */
  mayBeGone?: true;
  /** The values that the mark of the item replaced; absent: the item is not marked. */
  marked?: Payload;
  /** The item was deleted in the CMS and is not created again. */
  deleted?: { code: ErrorCode; reason: string };
  /** The CMS has refused the record. */
  refusal?: Refusal;
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

export const knownColumns = [
  'desired',
  'attachments',
  'delivered',
  'delivered_attachments',
  'cms_id',
  'editor_state',
  'status',
  'refused_hash',
  'refused_by',
  'error_code',
  'error_reason',
  'password',
  'delete_unconfirmed',
  'attributes_before_mark',
  'missing_since',
] as const satisfies ReadonlyArray<keyof RecordsTable>;

/** Reads the columns of a record. */
export function toKnown(row: KnownRow): KnownRecord {
  const { status, refused_hash: hash, refused_by: by, password } = row;
  const error = { code: row.error_code ?? 'FF_BUG', reason: row.error_reason ?? '' };
  return {
    ...contentOf(row),
    isUnsettled: isUnsettled(row),
    cmsId: row.cms_id,
    editorState: toEditorState(row.editor_state),
    ...(row.delete_unconfirmed === 1 ? { mayBeGone: true } : {}),
    ...(row.attributes_before_mark === null ? {} : { marked: JSON.parse(row.attributes_before_mark) as Payload }),
    ...(status === 'deleted' ? { deleted: error } : {}),
    ...(status === 'failed' && hash !== null
      ? { refusal: { ...error, hash, password, ...(by === null ? {} : { by }) } }
      : {}),
    ...(row.missing_since === null ? {} : { isMissing: true }),
  };
}

type KnownRow = Pick<Selectable<RecordsTable>, (typeof knownColumns)[number]>;

/**
 * The content of the item. Attributes that an unconfirmed PATCH may have changed are `UNKNOWN`. The content of an item that
 * was found but not written yet is unknown.
 */
function contentOf(row: KnownRow): Pick<KnownRecord, 'payload' | 'fingerprints'> {
  const payload = row.delivered ? (JSON.parse(row.delivered) as Payload) : null;
  const fingerprints = JSON.parse(row.delivered_attachments ?? '{}') as Record<string, string>;
  if (!isUnsettled(row)) return { payload, fingerprints };
  const attachments = JSON.parse(row.attachments) as StagedAttachment[];
  const sentFiles = new Map(attachments.map(({ attribute, fingerprint }) => [attribute, fingerprint]));
  if (!payload) return { payload, fingerprints: { ...fingerprints, ...unknown(sentFiles.keys()) } };
  const sent = JSON.parse(row.desired) as Payload;
  const attributes = Object.keys(sent).filter(
    (attribute) => !isDeepStrictEqual(sent[attribute], payload[attribute] ?? null),
  );
  const files = [...new Set([...sentFiles.keys(), ...Object.keys(fingerprints)])].filter(
    (attribute) => attributes.includes(attribute) || sentFiles.get(attribute) !== fingerprints[attribute],
  );
  const content = { ...payload, ...unknown([...attributes, ...files]) };
  const contentOfFiles = { ...fingerprints, ...unknown(files) };
  if (row.delete_unconfirmed === 0) return { payload: content, fingerprints: contentOfFiles };
  // The item may have been deleted, so all its attributes are unknown.
  return { payload: unknown(Object.keys(content)), fingerprints: unknown(Object.keys(contentOfFiles)) };
}

/** Whether an unconfirmed PATCH may have been applied. A refused PATCH was not. */
function isUnsettled({ cms_id, status, refused_hash }: KnownRow): boolean {
  return cms_id !== null && status !== 'delivered' && refused_hash === null;
}
