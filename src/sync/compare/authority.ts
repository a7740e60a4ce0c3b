import { isDeepStrictEqual } from 'node:util';
import type { CmsItem } from '../../cms/client.ts';
import type { Authority } from '../../config/types.ts';
import type { Json, Payload } from '../../core/record.ts';
import type { EditorState } from '../../ledger/database/item-state.ts';
import { filterAttributes, hasValue, partsLike, valueAt } from '../items/values.ts';

/** Attribute → who owns it; absent: the source. */
export type Authorities = Readonly<Record<string, Authority>>;

/** Attribute → its new value in the source; for a file, its fingerprint. */
export type Changes = Record<string, Json>;

/**
 * The changes that a PATCH may carry: without attributes that only a create sets, and without values that an editor has
 * overruled before.
 */
export function allowedChanges(changes: Changes, authority: Authorities, editorState: EditorState): Changes {
  return filterAttributes(changes, (attribute, value) => {
    if (authority[attribute] === 'initial') return false;
    const state = Object.hasOwn(editorState, attribute) ? editorState[attribute] : undefined;
    const isOverruled = state !== undefined && 'overruled' in state && isDeepStrictEqual(state.overruled, value);
    return authority[attribute] !== 'editor' || !isOverruled;
  });
}

/** What feedferry has certainly written to an item, and what it may have written. */
interface Written {
  editorState: EditorState;
  delivered: Payload;
  /** What updates without a response may have written. */
  unconfirmed: readonly Payload[];
}

/** Whether the live item has to be read before these changes are sent. */
export function needsLiveItem(changes: Changes, authority: Authorities): boolean {
  return Object.keys(changes).some((attribute) => authority[attribute] === 'editor');
}

/**
 * Removes changes of attributes that an editor has changed since feedferry wrote them.
 * @returns the changes that may be sent, and as `kept` the values that the CMS keeps in the other attributes
 */
export function respectEdits(
  changes: Changes,
  live: CmsItem,
  { authority, editorState, delivered, unconfirmed }: Written & { authority: Authorities },
) {
  const check = { changes: {} as Changes, kept: {} as Payload, editorState: { ...editorState } as EditorState };
  for (const [attribute, value] of Object.entries(changes)) {
    // The CMS's version of a value is stored only while editors own the attribute. Before that, compare with the value sent.
    const state = Object.hasOwn(editorState, attribute) ? editorState[attribute]?.written : delivered[attribute];
    const written = state ?? null;
    // The payload delivered before an unconfirmed update includes values that an editor had overruled.
    const sent = unconfirmed.flatMap((payload) => payload[attribute] ?? []);
    const ours = [written, ...sent.filter((value) => !isDeepStrictEqual(value, editorState[attribute]?.kept))];
    const isOurs = ours.some((value) => hasValue(live, attribute, value));
    if (authority[attribute] !== 'editor' || isOurs) check.changes[attribute] = value;
    else {
      const kept = partsLike(valueAt(live, attribute), value);
      // A live item that already has the new value was not edited: an unconfirmed write of ours may have been applied.
      const isApplied = hasValue(live, attribute, value);
      check.kept[attribute] = isApplied ? value : kept;
      check.editorState[attribute] = isApplied ? { written: kept } : { written, overruled: value, kept };
    }
  }
  return check;
}

/** Remembers what the CMS made of the attributes that were sent. */
export function rememberWritten(
  before: EditorState,
  sent: Payload,
  answer: CmsItem,
  authority: Authorities,
): EditorState {
  const attributes = Object.keys(sent).filter((attribute) => authority[attribute] === 'editor');
  const written = attributes.map((attribute) => {
    return [attribute, { written: partsLike(valueAt(answer, attribute), sent[attribute] ?? null) }] as const;
  });
  return { ...before, ...Object.fromEntries(written) };
}
