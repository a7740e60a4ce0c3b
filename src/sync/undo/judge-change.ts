import type { ErrorCode } from '../../core/errors.ts';
import type { Json, Payload, Resource } from '../../core/record.ts';
import type { LaterChange, RunChange } from '../../ledger/history/run-changes.ts';
import { asWritten, writableOf } from '../items/item-images.ts';
import { hasAll, hasValue, isEmpty } from '../items/values.ts';

/** An item as the CMS has it. */
type LiveItem = { id: number } & Readonly<Record<string, unknown>>;

/** Why a change stays. */
export interface Stay {
  is: 'skipped';
  code: ErrorCode;
  reason: string;
}

/** What takes one change back. */
export type Undoing =
  /** The item did not exist before. */
  | { is: 'delete' }
  /** The attributes as they were. */
  | { is: 'restore'; body: Payload }
  /** The whole item as it was. */
  | { is: 'create'; payload: Payload }
  | Stay;

/** What keeps a change from being undone, as far as the ledger alone can tell. */
export function obstacleTo(change: RunChange): Stay | undefined {
  const { record, since, effect } = change;
  const later = standingChange(since);
  if (later) {
    const what = later.undoes === null ? `has ${later.effect} it since` : 'has taken it back already';
    return stay('FF_UNDO_LATER', `run ${later.run} ${what}`);
  }
  if (record?.isUnsettled) return stay('FF_UNDO_UNSETTLED', 'its last change was never confirmed');
  if ((record?.cmsId ?? null) !== itemLeftBy(change)) {
    const now = record?.cmsId;
    if (now) return stay('FF_UNDO_GONE', `it is item ${now} of the CMS by now`);
    return stay('FF_UNDO_GONE', record ? 'its item is not in the CMS any more' : 'the ledger has forgotten it');
  }
  const isForgotten = effect !== 'created' && !change.before;
  const isLaterForgotten = since.some((each) => each.effect !== 'created' && !each.before);
  if (!isForgotten && !isLaterForgotten) return undefined;
  return stay('FF_UNDO_FORGOTTEN', 'what the item was before is not kept, or not any more');
}

/**
 * What takes a change back for which there is no obstacle, unless somebody has edited the item since.
 * @param live the record's item; absent: the CMS has none
 */
export function undoingOf(change: RunChange, live: LiveItem | undefined, resource: Resource): Undoing {
  const before = change.before ?? {};
  if (change.effect === 'removed') return { is: 'create', payload: asWritten(before) };
  if (!live) return stay('FF_UNDO_GONE', `its item ${change.record?.cmsId} is not in the CMS any more`);

  const edited = editedAttributes(change, live, resource);
  // What somebody has put back already is restored all the same, so that the ledger knows it.
  const isBack = change.effect === 'updated' && hasAll(live, before);
  if (edited.length > 0 && !isBack)
    return stay('FF_UNDO_EDITED', `item ${live.id} was edited since: ${edited.join(', ')}`);
  return change.effect === 'created' ? { is: 'delete' } : { is: 'restore', body: asWritten(before) };
}

/**
 * The last of the later changes that still stands: one that was taken back itself does not count, nor does what took it
 * back. That counts, though, which has taken back the very change in question.
 */
function standingChange(since: readonly LaterChange[]): LaterChange | undefined {
  const runs = new Set(since.map(({ run }) => run));
  const takenBack = new Set<string>();
  for (const change of since.toReversed()) {
    if (takenBack.has(change.run)) continue;
    if (change.undoes === null || !runs.has(change.undoes)) return change;
    takenBack.add(change.undoes);
  }
  return undefined;
}

/** The item that the record has been since the last change of it; null: none. */
function itemLeftBy({ effect, cmsId, since }: RunChange): number | null {
  const last = since.at(-1) ?? { effect, cmsId };
  return last.effect === 'removed' ? null : last.cmsId;
}

/** The attributes in which an item is not what the change has made of it. */
function editedAttributes(change: RunChange, live: LiveItem, resource: Resource): string[] {
  const left = leftBy(change);
  const edited = Object.keys(left).filter((attribute) => !hasValue(live, attribute, left[attribute] ?? null));
  if (change.effect === 'updated') return edited;
  // Of an item that is to go, nothing may be lost that feedferry never sent.
  const added = Object.entries(writableOf(live, resource)).filter(([attribute, value]) => {
    return !Object.hasOwn(left, attribute) && !isEmpty(value);
  });
  return [...edited, ...added.map(([attribute]) => attribute)];
}

/** What the CMS had of an item right after the change: what it made of what was sent, or what was sent. */
function leftBy({ attributes, after, since, record }: RunChange): Payload {
  const sent = attributes.filter((attribute) => attribute !== 'password');
  return { ...Object.fromEntries(sent.map((attribute) => [attribute, sentAs(attribute)])), ...after };

  /** What later changes have replaced is in their images, also where they were taken back. */
  function sentAs(attribute: string): Json {
    for (const { replaced, before } of since) {
      if (replaced && Object.hasOwn(replaced, attribute)) return replaced[attribute] ?? null;
      if (before && Object.hasOwn(before, attribute)) return before[attribute] ?? null;
    }
    return record?.delivered?.[attribute] ?? null;
  }
}

function stay(code: ErrorCode, reason: string): Stay {
  return { is: 'skipped', code, reason };
}
