import type { StagedChange } from '../../ledger/plans/staged-plan.ts';
import type { StagedAttachment } from '../../ledger/records/claimed-record.ts';
import { fewestReads } from '../search/listed-items.ts';

type Change = Pick<StagedChange, 'op'> & {
  changed: readonly string[];
  attachments: readonly StagedAttachment[];
};

/** The requests that applying a plan sends if none has to be repeated. */
export type Cost = ReturnType<ReturnType<typeof createCost>['total']>;

/** Counts the requests of a run: a write for each change, an upload for each file, and the reads before them. */
export function createCost() {
  const count = { create: 0, update: 0, delete: 0, mark: 0 };
  const files = new Set<string>();
  let isEmpty = true;
  return { add, total };

  function add(change: Change): void {
    const { op, changed } = change;
    isEmpty = false;
    for (const file of filesOf(change)) files.add(file);
    // An item that is adopted unchanged needs no request.
    if (op !== 'update' || changed.length > 0) count[op] += 1;
  }

  /** @param lists how many lists of the CMS are compared with the new records */
  function total(lists = 0) {
    const { create: creates, update: updates, delete: deletes, mark: marks } = count;
    return {
      creates,
      patches: updates + marks,
      deletes,
      /** An upper limit: a file that the CMS already has is not uploaded again. */
      uploads: files.size,
      /**
       * A lower limit: looking up items takes more. One request to check that the CMS can be reached, one for each item before it is
       * deleted or marked, those for the items of updates, and one for each list of items that is compared with the new records.
       */
      reads: isEmpty ? 0 : 1 + fewestReads(updates) + deletes + marks + lists,
    };
  }
}

/** Each file once per attribute, as it is uploaded. */
function filesOf({ changed, attachments }: Change): string[] {
  return attachments
    .filter(({ attribute }) => changed.includes(attribute))
    .map(({ attribute, fingerprint, source }) => JSON.stringify([attribute, fingerprint ?? source]));
}
