import type { ErrorCode } from '../../core/errors.ts';

/** Why a record was delivered without a file that its source has. */
export interface UndeliveredFile {
  code: ErrorCode;
  reason: string;
  /** Which file it was: its fingerprint, or a hash of its source if it could not be read (see `fileIdOf`). */
  file: string;
  /** When it was tried first, in ms since 1970. */
  since: number;
  /** How often it was tried. */
  tries: number;
  /** The item keeps the file that was delivered before. */
  keepsEarlier?: true;
}

/** Attribute → its undelivered file. */
export type UndeliveredFiles = Record<string, UndeliveredFile>;

/** What a delivery has left out. */
export interface Incomplete {
  files: UndeliveredFiles;
  /** When they are tried again: not before so many ms; 0: by the next run. */
  retryAfterMs: number;
}

/** What the column `undelivered_files` of records has. `retryAt`: in ms since 1970; absent: by the next run. */
interface Column {
  retryAt?: number | undefined;
  files: UndeliveredFiles;
}

export function filesColumn({ files, retryAfterMs }: Incomplete, now: number): string {
  return JSON.stringify({ retryAt: retryAfterMs > 0 ? Math.round(now + retryAfterMs) : undefined, files } as Column);
}

/** The undelivered files of a record; undefined if it has all. */
export function filesIn(column: string | null, now: number): Incomplete | undefined {
  if (column === null) return undefined;
  const { files, retryAt = 0 } = JSON.parse(column) as Column;
  return { files, retryAfterMs: Math.max(0, retryAt - now) };
}

/** Lists the undelivered files of a record as they are reported. Times are ISO instants. */
export function reportFiles(column: string | null) {
  const { files, retryAt } = column === null ? { files: {} } : (JSON.parse(column) as Column);
  return Object.entries(files).map(([attribute, { file: _, since, ...rest }]) => ({
    attribute,
    ...rest,
    since: new Date(since).toISOString(),
    /** Not tried before; absent: the next run tries. */
    ...(retryAt !== undefined && { retryAt: new Date(retryAt).toISOString() }),
  }));
}
