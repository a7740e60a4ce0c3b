import type { SyncConfig } from '../../config/types.ts';
import type { StagedAttachment } from '../../ledger/records/claimed-record.ts';

/** The requests that applying a plan sends, where nothing has to be repeated. */
export interface Cost {
  creates: number;
  patches: number;
  deletes: number;
  /** At most: what the CMS has already is not uploaded again. */
  uploads: number;
  /** At least: more where items must be looked for. */
  reads: number;
}

interface Change {
  op: 'create' | 'update' | 'delete' | 'mark';
  changed: readonly string[];
  attachments: readonly StagedAttachment[];
  adopts?: number;
}

/** What a run would cost: one write a change, one upload a file, and the reads that come before them. */
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
    // One asks whether the CMS can be reached at all; what is changed is looked at first; what may be adopted is looked for
    // in the list of all items.
    reads: changes.length === 0 ? 0 : 1 + lookedAt + (adopt && changes.some(isNew) ? 1 : 0),
  };
}

function isNew({ op, adopts }: Change): boolean {
  return op === 'create' || adopts !== undefined;
}

/** Each file once for each attribute, as it is uploaded. */
function filesOf({ changed, attachments }: Change): string[] {
  return attachments
    .filter(({ attribute }) => changed.includes(attribute))
    .map(({ attribute, fingerprint, source }) => JSON.stringify([attribute, fingerprint ?? source]));
}
