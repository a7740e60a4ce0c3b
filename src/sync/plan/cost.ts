import type { SyncConfig } from '../../config/types.ts';
import type { StagedAttachment } from '../../ledger/records/claimed-record.ts';

/** The requests that applying a plan sends if none has to be repeated. */
export interface Cost {
  creates: number;
  patches: number;
  deletes: number;
  /** An upper limit: files that the CMS already has are not uploaded again. */
  uploads: number;
  /** A lower limit: more if items must be looked up. */
  reads: number;
}

interface Change {
  op: 'create' | 'update' | 'delete' | 'mark';
  changed: readonly string[];
  attachments: readonly StagedAttachment[];
  adopts?: number;
}

/** Counts the requests of a run: a write for each change, an upload for each file, and the reads before them. */
export function costOf(
  changes: readonly Change[],
  {
    authority = {},
    adopt,
    keepsBefore = true,
  }: Pick<SyncConfig, 'authority' | 'adopt'> & { keepsBefore?: boolean } = {},
): Cost {
  const creates = changes.filter(({ op }) => op === 'create').length;
  // An item that is adopted as it is needs no request.
  const updates = changes.filter(({ op, changed }) => op === 'update' && changed.length > 0);
  const marks = changes.filter(({ op }) => op === 'mark').length;
  const deletes = changes.filter(({ op }) => op === 'delete').length;
  const guarded = updates.filter(({ changed }) => changed.some((attribute) => authority[attribute] === 'editor'));
  const lookedAt = keepsBefore ? updates.length + deletes + marks : guarded.length + marks;
  return {
    creates,
    patches: updates.length + marks,
    deletes,
    uploads: new Set(changes.flatMap(filesOf)).size,
    // One to check that the CMS can be reached, one for each item before it changes, one for the list of items to adopt.
    reads: changes.length === 0 ? 0 : 1 + lookedAt + (adopt && changes.some(isNew) ? 1 : 0),
  };
}

function isNew({ op, adopts }: Change): boolean {
  return op === 'create' || adopts !== undefined;
}

/** Each file once per attribute, as it is uploaded. */
function filesOf({ changed, attachments }: Change): string[] {
  return attachments
    .filter(({ attribute }) => changed.includes(attribute))
    .map(({ attribute, fingerprint, source }) => JSON.stringify([attribute, fingerprint ?? source]));
}
