import { CmsError } from '../../cms/errors.ts';
import { retryDelay } from '../../core/retry.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { Settlement } from '../../ledger/records/settlement.ts';
import { refusalHash } from '../compare/refusal.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import type { Delivery } from './delivery.ts';

/** The one place that says what the outcome of a delivery means to the ledger. */
export function toSettlement(
  record: ClaimedRecord,
  { outcome, delivered, fingerprints, editorState, uploads, incomplete, createUnconfirmed }: Delivery,
  { target, sync, configHash }: Pick<DeliveryContext, 'target' | 'sync' | 'configHash'>,
): Settlement {
  if ('cmsId' in outcome) {
    const { is, cmsId } = outcome;
    return { is, cmsId, delivered, deliveredAttachments: fingerprints, editorState, incomplete, uploads };
  }
  if (outcome.is === 'removed') return { is: 'removed', uploads };
  const { code, message: reason } = outcome.error;
  const undelivered = { code, reason, createUnconfirmed, uploads };
  switch (outcome.is) {
    case 'retry': {
      const attempts = record.attempts + 1;
      if (attempts >= target.maxAttempts) {
        const tried = { ...undelivered, reason: `${reason} (${attempts} attempts)` };
        return createUnconfirmed ? { ...tried, is: 'held', afterMs: outcome.afterMs ?? 0 } : { ...tried, is: 'failed' };
      }
      return { ...undelivered, is: 'retry', afterMs: retryDelay(attempts, target, outcome.afterMs) };
    }
    case 'postponed':
      return { ...undelivered, is: 'postponed', afterMs: outcome.afterMs };
    case 'stopped':
      return { ...undelivered, is: 'postponed', afterMs: 0 };
    case 'deleted':
      return { is: 'deleted', recreate: isRecreated(record, sync), code, reason, uploads };
    case 'failed': {
      const isRefusal = outcome.error instanceof CmsError;
      return { ...undelivered, is: 'failed', ...(isRefusal && { refused: refusalHash(record.hash, configHash) }) };
    }
    case 'held': {
      // An editor's change was met before anything was sent: there is nothing in doubt that a later run should send again.
      const isLeft = code === 'FF_UNDO_EDITED' && record.beforeImage === null;
      return { ...undelivered, is: 'held', ...(isLeft && { refused: refusalHash(record.hash, configHash) }) };
    }
  }
}

/** What was to be written only since the source has it no more is not created anew; what was perhaps deleted by us is. */
function isRecreated(
  { action, deleteUnconfirmed }: ClaimedRecord,
  { onDeletedInCms }: DeliveryContext['sync'],
): boolean {
  return action === null && (deleteUnconfirmed || onDeletedInCms === 'recreate');
}
