import { CodedError } from '../../core/errors.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';

/** What comes of a change of an item that the CMS has no more. */
export function deletedInCms({ key }: ClaimedRecord, cmsId: number): Outcome {
  const error = new CodedError('FF_CMS_DELETED', `"${key}" was deleted in the CMS, where it was item ${cmsId}.`);
  return { is: 'deleted', error };
}
