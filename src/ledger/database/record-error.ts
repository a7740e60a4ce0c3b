import { sql } from 'kysely';
import { codesAnsweredBy, type ErrorCode } from '../../core/errors.ts';

/** Why a record is not delivered. */
export interface RecordError {
  code: ErrorCode;
  reason: string;
  /** Hash of the content that the CMS refused for good (see `refusalHash`). */
  refused?: string | undefined;
  /** Key of the record whose item has a value that the CMS takes once only. */
  refusedBy?: string | undefined;
}

// The column `error` of records and staged changes: a JSON object that begins with the code, so that SQL can compare it.

export function errorColumn({ code, reason, refused, refusedBy }: RecordError): string {
  return JSON.stringify({ code, reason, refused, refusedBy });
}

export function errorIn(column: string | null): RecordError | undefined {
  return column === null ? undefined : (JSON.parse(column) as RecordError);
}

/** Why a record is not delivered, as it is reported. */
export function reportedError(column: string | null): Pick<RecordError, 'code' | 'reason'> {
  const { code, reason } = errorIn(column) ?? { code: 'FF_BUG', reason: '' };
  return { code, reason };
}

/** Of records: the error has one of these codes. */
export function hasError(...codes: ErrorCode[]) {
  const alternatives = codes.map((code) => sql`records.error like ${sql.lit(`{"code":"${code}",%`)}`);
  return sql<boolean>`(${sql.join(alternatives, sql` or `)})`;
}

/** Of records: the change is held until a person has answered. */
export const waitsForAnswer = sql<boolean>`(
  records.status = 'held' and ${hasError(...new Set(Object.values(codesAnsweredBy).flat()))}
)`;

/** Of records: the CMS has refused the content. In the reason, quotes are escaped. */
export const isRefused = sql<boolean>`records.error like '%,"refused":"%'`;
