import type { SyncConfig } from '../../config/types.ts';
import type { StagedChange } from '../../ledger/plans/staged-plan.ts';
import type { StagedAttachment } from '../../ledger/records/claimed-record.ts';

type Change = Pick<StagedChange, 'op' | 'adopts'> & {
  changed: readonly string[];
  attachments: readonly StagedAttachment[];
};

/** The requests that applying a plan sends if none has to be repeated. */
export type Cost = ReturnType<ReturnType<typeof createCost>['total']>;

/** Counts the requests of a run: a write for each change, an upload for each file, and the reads before them. */
export function createCost({ adopt }: Pick<SyncConfig, 'adopt'> = {}) {
  const count = { create: 0, update: 0, delete: 0, mark: 0 };
  const files = new Set<string>();
  let isEmpty = true;
  let mayAdopt = false;
  return { add, total };

  function add(change: Change): void {
    const { op, adopts, changed } = change;
    isEmpty = false;
    mayAdopt ||= adopt !== undefined && (op === 'create' || adopts !== undefined);
    for (const file of filesOf(change)) files.add(file);
    // An item that is adopted unchanged needs no request.
    if (op !== 'update' || changed.length > 0) count[op] += 1;
  }

  function total() {
    const { create: creates, update: updates, delete: deletes, mark: marks } = count;
    return {
      creates,
      patches: updates + marks,
      deletes,
      /** An upper limit: a file that the CMS already has is not uploaded again. */
      uploads: files.size,
      /**
       * A lower limit: looking up items takes more. One request to check that the CMS can be reached, one for each item before
       * its change, one for the list of items to adopt.
       */
      reads: isEmpty ? 0 : 1 + updates + deletes + marks + (mayAdopt ? 1 : 0),
    };
  }
}

/** Each file once per attribute, as it is uploaded. */
function filesOf({ changed, attachments }: Change): string[] {
  return attachments
    .filter(({ attribute }) => changed.includes(attribute))
    .map(({ attribute, fingerprint, source }) => JSON.stringify([attribute, fingerprint ?? source]));
}
