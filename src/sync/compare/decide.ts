import type { SyncConfig } from '../../config/types.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { DesiredRecord } from '../../core/record.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import { isNewPassword } from '../passwords/password.ts';
import type { PasswordCipher } from '../passwords/password-cipher.ts';
import type { Authorities } from './authority.ts';
import {
  changedFiles,
  changesOf,
  type DeliveredState,
  type DesiredState,
  desiredHash,
  refusalHash,
} from './changes.ts';

/** What a run does about one record. */
export type Decision =
  /** Sends these attributes and files. */
  | { op: 'create' | 'update' | 'unchanged'; changed: string[] }
  /** Its item was deleted in the CMS and stays deleted. */
  | { op: 'skipped' }
  /** The CMS has refused the same content before. */
  | { op: 'failed'; code: ErrorCode; reason: string };

export interface DecisionContext {
  sync: Pick<SyncConfig, 'name' | 'authority' | 'onDeletedInCms'>;
  /** Hash of the config that decides how a record is sent. */
  configHash: string;
  passwordCipher: PasswordCipher;
}

/** Compares a record of the feed with what the ledger knows of it. */
export function decide(
  record: DesiredState & Pick<DesiredRecord, 'key' | 'password'>,
  known: KnownRecord | undefined,
  context: DecisionContext,
): Decision {
  const { sync, configHash } = context;
  if (known?.deleted && !createsAgain(sync)) return { op: 'skipped' };
  const plan = planRecord(record, known, sync.authority);
  if (plan.op === 'unchanged' || !known?.refusal) return plan;
  const { hash, code, reason, password } = known.refusal;
  const isSame = hash === refusalHash(desiredHash(record), configHash);
  const isStillRefused = isSame && !(plan.op === 'create' && isNewPassword(record, password, context));
  return isStillRefused ? { op: 'failed', code, reason } : plan;
}

/** Decides what to send: the whole record if the CMS lacks it, else the differing attributes that the source may change. */
export function planRecord(
  desired: DesiredState,
  delivered: DeliveredState | undefined,
  authority: Authorities = {},
): Extract<Decision, { changed: string[] }> {
  if (!delivered || delivered.cmsId === null) {
    const changed = Object.keys({ ...desired.payload, ...changedFiles(desired.fingerprints, {}) });
    return { op: 'create', changed };
  }
  const changed = Object.keys(changesOf(desired, delivered, authority));
  // Even if nothing is to be sent, a delivery looks what became of an unconfirmed change.
  return { op: changed.length > 0 || delivered.isUnconfirmed ? 'update' : 'unchanged', changed };
}

/** Whether an item that editors have deleted is created again. The policy is read nowhere else. */
export function createsAgain({ onDeletedInCms }: Pick<SyncConfig, 'onDeletedInCms'>): boolean {
  return onDeletedInCms === 'recreate';
}

/** Whether a delivery may have to create the record, and so needs the password. */
export function mayBeCreated(known: KnownRecord | undefined, sync: Pick<SyncConfig, 'onDeletedInCms'>): boolean {
  return !known?.cmsId || known.mayBeGone === true || createsAgain(sync);
}

/** The columns of a staged row that hold a decision. */
export function toColumns(decision: Decision) {
  const { op } = decision;
  if (op === 'skipped') return { op };
  if (op === 'failed') return { op, error_code: decision.code, error_reason: decision.reason };
  return { op, changed: JSON.stringify(decision.changed) };
}
