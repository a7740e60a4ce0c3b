import type { SyncConfig } from '../../config/types.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { PlannedColumns } from '../../ledger/plans/changed-keys.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import { isNewPassword } from '../passwords/password.ts';
import type { PasswordCipher } from '../passwords/password-cipher.ts';
import { type DesiredState, desiredHash, planRecord, type RecordPlan } from './changes.ts';
import { refusalHash } from './refusal.ts';

/** What a run does about one record: send what it needs, or nothing, and why. */
export type Decision =
  | RecordPlan
  /** Its item was deleted in the CMS, and is left so. */
  | { op: 'skipped' }
  /** The CMS has refused just this before. */
  | { op: 'failed'; code: ErrorCode; reason: string };

export interface DecisionContext {
  sync: Pick<SyncConfig, 'name' | 'authority' | 'onDeletedInCms'>;
  /** Hash of the config that decides how a record is sent. */
  configHash: string;
  passwordCipher: PasswordCipher;
}

interface DecidedRecord extends DesiredState {
  key: string;
  password?: string;
}

/** Decides about a record of the feed by what the ledger knows of it. */
export function decide(record: DecidedRecord, known: KnownRecord | undefined, context: DecisionContext): Decision {
  const { sync, configHash } = context;
  if (known?.deleted && sync.onDeletedInCms === 'leave') return { op: 'skipped' };
  const plan = planRecord(record, known, sync.authority);
  if (plan.op === 'unchanged' || !known?.refusal) return plan;
  const { hash, code, reason, password } = known.refusal;
  const isSame = hash === refusalHash(desiredHash(record), configHash);
  const isStillRefused = isSame && !(plan.op === 'create' && isNewPassword(record, password, context));
  return isStillRefused ? { op: 'failed', code, reason } : plan;
}

/** Whether a delivery may have to create the record, so that it needs its password. */
export function mayBeCreated(
  known: KnownRecord | undefined,
  { onDeletedInCms }: Pick<SyncConfig, 'onDeletedInCms'>,
): boolean {
  return !known?.cmsId || known.mayBeGone === true || onDeletedInCms === 'recreate';
}

/** A decision as it is staged, with the doubts of an update that was never confirmed. */
export function toColumns(decision: Decision, known?: KnownRecord): PlannedColumns {
  if (decision.op === 'skipped') return { op: 'skipped' };
  if (decision.op === 'failed') return { op: 'failed', error_code: decision.code, error_reason: decision.reason };
  const doubts = known?.isUnsettled && {
    delivered: JSON.stringify(known.payload),
    delivered_attachments: JSON.stringify(known.fingerprints),
  };
  return { op: decision.op, changed: JSON.stringify(decision.changed), ...doubts };
}
