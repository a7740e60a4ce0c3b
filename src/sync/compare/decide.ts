import type { SyncConfig } from '../../config/types.ts';
import type { DesiredRecord } from '../../core/record.ts';
import { errorColumn } from '../../ledger/database/record-error.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { KnownRecord, Refusal } from '../../ledger/records/known-record.ts';
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

/** Whether an update tries undelivered files again: only them, or other attributes also. */
export type RetriesFiles = NonNullable<StagedRow['retries_files']>;

/** What a run does about one record. */
export type Decision =
  /** Sends these attributes and files. */
  | { op: 'create' | 'update' | 'unchanged'; changed: string[]; retriesFiles?: RetriesFiles }
  /** Its item was deleted in the CMS and stays deleted. */
  | { op: 'skipped' }
  /** The CMS has refused the same content before. */
  | { op: 'failed'; refusal: Refusal };

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
  const { hash, password } = known.refusal;
  const isSame = hash === refusalHash(desiredHash(record), configHash);
  const isStillRefused = isSame && !(plan.op === 'create' && isNewPassword(record, password, context));
  return isStillRefused ? { op: 'failed', refusal: known.refusal } : plan;
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
  const retriesFiles = retriedBy(changed, desired, delivered);
  // Even if nothing is to be sent, a delivery looks what became of an unconfirmed change, and of undelivered files.
  const op = changed.length > 0 || delivered.isUnconfirmed || retriesFiles ? 'update' : 'unchanged';
  return { op, changed, ...(retriesFiles && { retriesFiles }) };
}

function retriedBy(
  changed: readonly string[],
  { fingerprints }: DesiredState,
  { undeliveredFiles = {}, waitingFiles = {}, isUnconfirmed }: DeliveredState,
): RetriesFiles | undefined {
  const isSame = (attribute: string) => undeliveredFiles[attribute]?.file === fingerprints[attribute];
  const undelivered = Object.keys(undeliveredFiles);
  const retried = undelivered.filter((attribute) => changed.includes(attribute) && isSame(attribute));
  // The CMS no longer lacks them: the source has withdrawn the file, or editors have replaced it.
  const over = undelivered.filter(
    (attribute) => !changed.includes(attribute) && !(Object.hasOwn(waitingFiles, attribute) && isSame(attribute)),
  );
  if (retried.length + over.length === 0) return undefined;
  return retried.length === changed.length && !isUnconfirmed ? 'only' : 'also';
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
  if (op === 'failed') {
    const { code, reason, hash, by } = decision.refusal;
    return { op, error: errorColumn({ code, reason, refused: hash, refusedBy: by }) };
  }
  const { changed, retriesFiles } = decision;
  return { op, changed: JSON.stringify(changed), ...(retriesFiles && { retries_files: retriesFiles }) };
}
