import type { CodedError } from './errors.ts';

/** What delivering one record came to. Expected results are values; only bugs are thrown. */
export type Outcome =
  | { is: 'created' | 'updated' | 'unchanged'; cmsId: number }
  | { is: 'retry'; error: CodedError; afterMs?: number }
  /** `failed`: the CMS refused it for good, or nobody foresaw what happened. */
  | { is: 'failed' | 'held'; error: CodedError }
  /** The CMS has the item no more. */
  | { is: 'deleted'; error: CodedError }
  | { is: 'stopped'; error: CodedError };
