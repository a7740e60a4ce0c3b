import type { Json } from '../../core/record.ts';

/** The state of an attribute that editors own, as remembered in the ledger. */
interface EditableAttribute {
  /** What the CMS made of feedferry's last write: while the item has this value, no editor has changed the attribute. */
  written: Json;
  /** The source's value (a file's fingerprint) that an editor has overruled: this value is not delivered again. */
  overruled?: Json;
  /** The editor's value. */
  kept?: Json;
}

/** Attribute → its remembered state. */
export type EditorState = Record<string, EditableAttribute>;

/** Reads the column `editor_state`. */
export function toEditorState(column: string | null): EditorState {
  return column ? (JSON.parse(column) as EditorState) : {};
}
