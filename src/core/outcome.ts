import type { CodedError } from './errors.ts';

/** What delivering one record came to. Expected results are values; only bugs are thrown. */
export type Outcome =
  | { is: 'created' | 'updated' | 'unchanged'; cmsId: number }
  | { is: 'retry'; error: CodedError; afterMs?: number }
  | { is: 'failed' | 'held'; error: CodedError }
  | { is: 'stopped'; error: CodedError };
