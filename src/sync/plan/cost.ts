import type { SyncConfig } from '../../config/types.ts';
import type { StagedChange } from '../../ledger/plans/staged-plan.ts';
import type { StagedAttachment } from '../../ledger/records/claimed-record.ts';

type Change = Pick<StagedChange, 'op' | 'adopts'> & {
  changed: readonly string[];
  attachments: readonly StagedAttachment[];
};

/** The requests that applying a plan sends if none has to be repeated. */
export type Cost = ReturnType<typeof costOf>;

/** Counts the requests of a run: a write for each change, an upload for each file, and the reads before them. */
export function costOf(changes: readonly Change[], { adopt }: Pick<SyncConfig, 'adopt'> = {}) {
  const count = (op: Change['op']) => changes.filter((change) => change.op === op).length;
  const [creates, deletes, marks] = [count('create'), count('delete'), count('mark')];
  // An item that is adopted as it is needs no request.
  const updates = changes.filter(({ op, changed }) => op === 'update' && changed.length > 0);
  const mayAdopt = adopt && changes.some(({ op, adopts }) => op === 'create' || adopts !== undefined);
  return {
    creates,
    patches: updates.length + marks,
    deletes,
    /** An upper limit: files that the CMS already has are not uploaded again. */
    uploads: new Set(changes.flatMap(filesOf)).size,
    /**
     * A lower limit: more if items must be looked up. One to check that the CMS can be reached, one for each item before it
     * changes, one for the list of items to adopt.
     */
    reads: changes.length === 0 ? 0 : 1 + updates.length + deletes + marks + (mayAdopt ? 1 : 0),
  };
}

/** Each file once per attribute, as it is uploaded. */
function filesOf({ changed, attachments }: Change): string[] {
  return attachments
    .filter(({ attribute }) => changed.includes(attribute))
    .map(({ attribute, fingerprint, source }) => JSON.stringify([attribute, fingerprint ?? source]));
}
