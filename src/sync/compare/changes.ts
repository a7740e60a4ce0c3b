import { isDeepStrictEqual } from 'node:util';
import { hashJson } from '../../core/hash.ts';
import type { Json, Payload } from '../../core/record.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import { type Authorities, allowedChanges, type Changes } from './authority.ts';
import type { Fingerprints } from './file-fingerprints.ts';

/** What a record should be: its payload, and its files. */
export interface DesiredState {
  payload: Payload;
  fingerprints: Fingerprints;
}

/** What the CMS is known to have. */
export type DeliveredState = Pick<KnownRecord, 'payload' | 'fingerprints' | 'cmsId' | 'editorState'>;

/** Hash of everything that a delivery would bring to the CMS. */
export function desiredHash({ payload, fingerprints }: DesiredState): string {
  return hashJson({ payload, fingerprints });
}

/** The attributes and files that differ from what was delivered and that the source may change; null clears. */
export function changesOf(
  desired: DesiredState,
  { payload, fingerprints, editorState }: Omit<DeliveredState, 'cmsId'>,
  authority: Authorities = {},
): Changes {
  const files = changedFiles(desired.fingerprints, fingerprints).map((attribute) => [
    attribute,
    desired.fingerprints[attribute] ?? null,
  ]);
  // Where nothing is known of an item, empties are sent, too.
  const attributes = payload ? changedAttributes(desired.payload, payload) : desired.payload;
  const changes: Changes = { ...attributes, ...Object.fromEntries(files) };
  return allowedChanges(changes, authority, editorState);
}

/**
 * The attributes whose desired value differs from what was delivered. An attribute that is no longer desired is left
 * alone (absent means untouched); one that was never delivered and is desired empty needs no clearing.
 */
export function changedAttributes(desired: Payload, delivered: Payload): Payload {
  const changed = Object.entries(desired).filter(
    ([attribute, value]) =>
      !isDeepStrictEqual(value, Object.hasOwn(delivered, attribute) ? delivered[attribute] : null),
  );
  return Object.fromEntries(changed) as Payload;
}

/** The attributes that should have another file than the one delivered, or none any more. */
export function changedFiles(desired: Fingerprints, delivered: Record<string, string>): string[] {
  return Object.keys(desired).filter((attribute) => desired[attribute] !== (delivered[attribute] ?? null));
}

/** The body of a create: explicit empties have nothing to clear there. */
export function createBody(payload: Payload): Payload {
  const filled = Object.entries(payload).filter((entry): entry is [string, Exclude<Json, null>] => entry[1] !== null);
  return Object.fromEntries(filled);
}
