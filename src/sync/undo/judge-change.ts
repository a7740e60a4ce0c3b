import type { CmsItem } from '../../cms/client.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Json, Payload, Resource } from '../../core/record.ts';
import type { LaterChange, RunChange } from '../../ledger/attempts/run-changes.ts';
import { asWritten, writableOf } from '../items/item-images.ts';
import { hasAll, hasValue, isEmpty } from '../items/values.ts';

/** Why a change is not undone. */
export interface Skip {
  is: 'skipped';
  code: ErrorCode;
  reason: string;
  /** The later run that stands against it. */
  run?: string;
}

/** What undoes one change. */
export type Undoing =
  /** The item did not exist before. */
  | { is: 'delete' }
  /** The attributes as they were. */
  | { is: 'restore'; body: Payload }
  /** The whole item as it was. */
  | { is: 'create'; payload: Payload }
  | Skip;

/** Returns what prevents undoing a change, judged by the ledger alone. */
export function obstacleTo(change: RunChange): Skip | undefined {
  const { record, since, effect } = change;
  const later = effectiveChange(since);
  if (later) {
    const what = later.undoes === null ? `${later.effect} the item later` : 'has undone this change already';
    return { ...skip('FF_UNDO_LATER', `run ${later.run} ${what}`), run: later.run };
  }
  if (record.isUnconfirmed) return skip('FF_UNDO_UNSETTLED', 'the CMS did not confirm its last change');
  if (record.cmsId !== itemLeftBy(change)) {
    const now =
      record.cmsId === null ? 'its item is no longer in the CMS' : `the record is now CMS item ${record.cmsId}`;
    return skip('FF_UNDO_GONE', now);
  }
  const isForgotten = effect !== 'created' && !change.before;
  const isLaterForgotten = since.some((each) => each.effect !== 'created' && !each.before);
  if (!isForgotten && !isLaterForgotten) return undefined;
  return skip('FF_UNDO_FORGOTTEN', 'the previous content of the item is not, or no longer, in the ledger');
}

/**
 * Returns how to undo a change that nothing in the ledger prevents, unless the item was edited since.
 * @param live the record's item; absent: the CMS has none
 */
export function undoingOf(change: RunChange, live: CmsItem | undefined, resource: Resource): Undoing {
  const before = change.before ?? {};
  if (change.effect === 'removed') return { is: 'create', payload: asWritten(before) };
  if (!live) return skip('FF_UNDO_GONE', `item ${change.record.cmsId} is no longer in the CMS`);

  const edited = editedAttributes(change, live, resource);
  // An item that was restored manually is restored again, so that the ledger knows its state.
  const isBack = change.effect === 'updated' && hasAll(live, before);
  if (edited.length > 0 && !isBack) {
    return skip('FF_UNDO_EDITED', `item ${live.id} was edited in the CMS since: ${edited.join(', ')}`);
  }
  return change.effect === 'created' ? { is: 'delete' } : { is: 'restore', body: asWritten(before) };
}

/**
 * The last of the later changes that is still in effect: a change that was undone itself does not count, nor does the change
 * that undid it. A change that undid the very change in question counts.
 */
function effectiveChange(since: readonly LaterChange[]): LaterChange | undefined {
  const runs = new Set(since.map(({ run }) => run));
  const undone = new Set<string>();
  for (const change of since.toReversed()) {
    if (undone.has(change.run)) continue;
    if (change.undoes === null || !runs.has(change.undoes)) return change;
    undone.add(change.undoes);
  }
  return undefined;
}

/** The item that the record has had since its last change; null: none. */
function itemLeftBy({ effect, cmsId, since }: RunChange): number | null {
  const last = since.at(-1) ?? { effect, cmsId };
  return last.effect === 'removed' ? null : last.cmsId;
}

/** The attributes in which an item differs from what the change has made of it. */
function editedAttributes(change: RunChange, live: CmsItem, resource: Resource): string[] {
  const left = leftBy(change);
  const edited = Object.keys(left).filter((attribute) => !hasValue(live, attribute, left[attribute] ?? null));
  if (change.effect === 'updated') return edited;
  // If the item is to be deleted, no values that feedferry never sent may be lost.
  const added = Object.entries(writableOf(live, resource)).filter(([attribute, value]) => {
    return !Object.hasOwn(left, attribute) && !isEmpty(value);
  });
  return [...edited, ...added.map(([attribute]) => attribute)];
}

/** The attributes of an item right after the change: the values that the CMS made of those sent, or else the values sent. */
function leftBy({ attributes, after, since, record }: RunChange): Payload {
  const sent = attributes.filter((attribute) => attribute !== 'password');
  return { ...Object.fromEntries(sent.map((attribute) => [attribute, sentAs(attribute)])), ...after };

  /** Values that later changes have replaced are in the images of those changes, even if the changes were undone. */
  function sentAs(attribute: string): Json {
    for (const { replaced, before } of since) {
      if (replaced && Object.hasOwn(replaced, attribute)) return replaced[attribute] ?? null;
      if (before && Object.hasOwn(before, attribute)) return before[attribute] ?? null;
    }
    return record.delivered?.[attribute] ?? null;
  }
}

function skip(code: ErrorCode, reason: string): Skip {
  return { is: 'skipped', code, reason };
}
