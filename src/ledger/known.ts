import type { Selectable } from 'kysely';
import type { ErrorCode } from '../core/errors.ts';
import type { Payload } from '../core/record.ts';
import { type Editable, toEditable } from './editable.ts';
import type { RecordsTable } from './schema.ts';

/** What the ledger knows of a record when a new reading of it is compared. */
export interface KnownRecord {
  payload: Payload | null;
  fingerprints: Record<string, string>;
  cmsId: number | null;
  editable: Editable;
  /** It was deleted in the CMS, and left so. */
  deleted?: { code: ErrorCode; reason: string };
  /** The CMS would not have it. */
  refusal?: Refusal;
}

/** What the CMS refused for good (see `refusalHash`), and what it said. */
export interface Refusal {
  hash: string;
  code: ErrorCode;
  reason: string;
  /** The password that was sent along, encrypted. */
  password: string | null;
}

export const knownColumns = [
  'delivered',
  'delivered_attachments',
  'cms_id',
  'editable',
  'status',
  'refused_hash',
  'error_code',
  'error_reason',
  'password',
] as const satisfies ReadonlyArray<keyof RecordsTable>;

/** Reads the columns. */
export function toKnown(row: Pick<Selectable<RecordsTable>, (typeof knownColumns)[number]>): KnownRecord {
  const { status, refused_hash: hash, password } = row;
  const error = { code: (row.error_code ?? 'FF_BUG') as ErrorCode, reason: row.error_reason ?? '' };
  return {
    payload: row.delivered ? (JSON.parse(row.delivered) as Payload) : null,
    fingerprints: JSON.parse(row.delivered_attachments ?? '{}') as Record<string, string>,
    cmsId: row.cms_id,
    editable: toEditable(row.editable),
    ...(status === 'deleted' ? { deleted: error } : {}),
    ...(status === 'failed' && hash !== null ? { refusal: { ...error, hash, password } } : {}),
  };
}
