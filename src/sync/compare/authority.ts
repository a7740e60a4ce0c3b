import { isDeepStrictEqual } from 'node:util';
import type { Authority } from '../../config/types.ts';
import type { Json, Payload } from '../../core/record.ts';
import type { EditorState } from '../../ledger/records/editor-state.ts';
import { partsLike, sameValue, valueAt } from '../items/values.ts';

/** Attribute → whose word counts; absent: the source's. */
export type Authorities = Readonly<Record<string, Authority>>;

/** Attribute → the source's new value of it; of a file, its fingerprint. */
export type Changes = Record<string, Json>;

/** An item as the CMS has it. */
type LiveItem = Readonly<Record<string, unknown>>;

/**
 * Of the attributes that differ from what was delivered, those that a PATCH may carry: none that only a create sets, and
 * none whose value has given way to an editor's before.
 */
export function allowedChanges(changes: Changes, authority: Authorities, editorState: EditorState): Changes {
  return pick(changes, (attribute, value) => {
    if (authority[attribute] === 'initial') return false;
    return authority[attribute] !== 'editor' || !isOverruled(editorState, attribute, value);
  });
}

/** Whether the live item has to be looked at before these changes are sent. */
export function needsLiveItem(changes: Changes, authority: Authorities): boolean {
  return Object.keys(changes).some((attribute) => authority[attribute] === 'editor');
}

/** What comparing the live item with what we last wrote came to. */
export interface EditCheck {
  /** What may be sent. */
  changes: Changes;
  /** What the CMS has instead of what may not. */
  kept: Payload;
  editorState: EditorState;
}

/** Takes out of the changes what an editor has changed since we last wrote it. */
export function respectEdits(
  changes: Changes,
  live: LiveItem,
  { authority, editorState, delivered }: { authority: Authorities; editorState: EditorState; delivered: Payload },
): EditCheck {
  const verdict: EditCheck = { changes: {}, kept: {}, editorState: { ...editorState } };
  for (const [attribute, value] of Object.entries(changes)) {
    // Before an attribute became `editor`, no answer was kept: then what was sent has to do.
    const written =
      (Object.hasOwn(editorState, attribute) ? editorState[attribute]?.written : delivered[attribute]) ?? null;
    const now = partsLike(valueAt(live, attribute), written);
    if (authority[attribute] !== 'editor' || sameValue(now, written)) verdict.changes[attribute] = value;
    else {
      const kept = partsLike(valueAt(live, attribute), value);
      verdict.kept[attribute] = kept;
      // That it is there already is no edit: an update of ours may have been applied whose answer never came.
      verdict.editorState[attribute] = sameValue(kept, value) ? { written: kept } : { written, overruled: value };
    }
  }
  return verdict;
}

/** Remembers what the CMS made of the attributes that were sent to it. */
export function rememberWritten(
  editorState: EditorState,
  sent: Payload,
  answer: LiveItem,
  authority: Authorities,
): EditorState {
  const attributes = Object.keys(sent).filter((attribute) => authority[attribute] === 'editor');
  const written = attributes.map((attribute) => {
    const made = partsLike(valueAt(answer, attribute), sent[attribute] ?? null);
    return [attribute, { written: made }] as const;
  });
  return { ...editorState, ...Object.fromEntries(written) };
}

function isOverruled(editorState: EditorState, attribute: string, value: Json): boolean {
  const known = Object.hasOwn(editorState, attribute) ? editorState[attribute] : undefined;
  return known !== undefined && 'overruled' in known && isDeepStrictEqual(known.overruled, value);
}

function pick(changes: Changes, wanted: (attribute: string, value: Json) => boolean): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([attribute, value]) => wanted(attribute, value)));
}
