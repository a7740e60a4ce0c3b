import type { CodedError } from './errors.ts';

/** What delivering one record came to. Expected results are values; only bugs are thrown. */
export type Outcome =
  | { is: 'created' | 'updated' | 'unchanged'; cmsId: number }
  /** The CMS has its item no more, as wanted. */
  | { is: 'removed' }
  | { is: 'retry'; error: CodedError; afterMs?: number }
  /** It did not have its turn: the CMS gets no requests now, or this process may send none. */
  | { is: 'postponed'; error: CodedError; afterMs: number }
  /** `failed`: the CMS refused it for good; `held`: it waits for somebody to decide or mend something. */
  | { is: 'failed' | 'held'; error: CodedError }
  /** The CMS has the item no more. */
  | { is: 'deleted'; error: CodedError }
  /** The CMS takes no requests until somebody changes something. */
  | { is: 'stopped'; error: CodedError };
