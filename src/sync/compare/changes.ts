import { isDeepStrictEqual } from 'node:util';
import { hashJson } from '../../core/hash.ts';
import type { Payload } from '../../core/record.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import { filterAttributes } from '../items/values.ts';
import { type Authorities, allowedChanges, type Changes } from './authority.ts';
import type { Fingerprints } from './file-fingerprints.ts';

/** What a record should be: its payload and its files. */
export interface DesiredState {
  payload: Payload;
  fingerprints: Fingerprints;
}

/** What the CMS is known to have. */
export type DeliveredState = Pick<
  KnownRecord,
  'payload' | 'fingerprints' | 'cmsId' | 'editorState' | 'isUnconfirmed' | 'undeliveredFiles' | 'waitingFiles'
>;

/** Hash of everything that a delivery would bring to the CMS. */
export function desiredHash({ payload, fingerprints }: DesiredState): string {
  return hashJson({ payload, fingerprints });
}

/**
 * Hash of a refusal's cause: the content of the record, and the config that decides how it is sent. While neither changes,
 * the CMS would refuse the record again.
 * @param hash hash of the desired record
 * @param configHash hash of the config (see `deliveryFingerprint`)
 */
export function refusalHash(hash: string, configHash: string): string {
  return hashJson([hash, configHash]);
}

/** The attributes and files that differ from what was delivered and that the source may change; null clears. */
export function changesOf(
  desired: DesiredState,
  { payload, fingerprints, editorState, waitingFiles }: Omit<DeliveredState, 'cmsId' | 'isUnconfirmed'>,
  authority: Authorities = {},
): Changes {
  // A file that was set by its path, as by an undo, has no fingerprint. One that is not to be tried yet counts as delivered.
  const delivered = { ...unknownFiles(desired.fingerprints, payload), ...fingerprints, ...waitingFiles };
  const files = changedFiles(desired.fingerprints, delivered);
  // If nothing is known of an item, empty values are sent as well.
  const attributes = payload ? changedAttributes(desired.payload, payload) : desired.payload;
  return allowedChanges({ ...attributes, ...files }, authority, editorState);
}

/**
 * The attributes whose desired value differs from what was delivered. An attribute that is no longer desired stays as it is
 * (absent means untouched). An attribute that was never delivered and is desired empty needs no clearing.
 */
export function changedAttributes(desired: Payload, delivered: Payload): Payload {
  return filterAttributes(desired, (attribute, value) => {
    return !isDeepStrictEqual(value, Object.hasOwn(delivered, attribute) ? delivered[attribute] : null);
  });
}

/** The attributes that should have no file, but have some value, or an unknown one. */
function unknownFiles(desired: Fingerprints, delivered: Payload | null): Record<string, string> {
  const mayHaveFile = (attribute: string) => !delivered || Boolean(delivered[attribute]);
  const unwanted = Object.keys(desired).filter((attribute) => desired[attribute] === null && mayHaveFile(attribute));
  return Object.fromEntries(unwanted.map((attribute) => [attribute, '']));
}

/** The fingerprints that differ from those delivered; null: the attribute should no longer have a file. */
export function changedFiles(desired: Fingerprints, delivered: Record<string, string>): Fingerprints {
  return filterAttributes(desired, (attribute, fingerprint) => fingerprint !== (delivered[attribute] ?? null));
}

/** The body of a create: explicit empty values have nothing to clear there. */
export function createBody(payload: Payload): Payload {
  return filterAttributes(payload, (_, value) => value !== null);
}
