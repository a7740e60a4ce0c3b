import type { ErrorCode } from '../../core/errors.ts';
import type { RecordsTable } from './schema.ts';

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

/** The undelivered files of a record; undefined if it has all. */
export function filesIn({
  undelivered_files: files,
}: Pick<RecordsTable, 'undelivered_files'>): UndeliveredFiles | undefined {
  return files === null ? undefined : (JSON.parse(files) as UndeliveredFiles);
}

/** How long the undelivered files of a record still wait for their next try, in ms; 0: they are due. */
export function waitOf({ files_retry_at: at }: Pick<RecordsTable, 'files_retry_at'>, now: number): number {
  return at === null ? 0 : Math.max(0, at - now);
}

/** Lists the undelivered files of a record as they are reported. Times are ISO instants. */
export function reportFiles(columns: Pick<RecordsTable, 'undelivered_files' | 'files_retry_at'>) {
  const { files_retry_at: at } = columns;
  return Object.entries(filesIn(columns) ?? {}).map(([attribute, { file: _, since, ...rest }]) => ({
    attribute,
    ...rest,
    since: new Date(since).toISOString(),
    /** Not tried before; absent: the next run tries. */
    ...(at === null ? {} : { retryAt: new Date(at).toISOString() }),
  }));
}
