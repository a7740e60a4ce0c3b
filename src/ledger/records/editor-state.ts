import type { Json } from '../../core/record.ts';

/** What the ledger remembers of an attribute that editors own. */
interface EditableAttribute {
  /** What the CMS made of feedferry's last write: while it has that, no editor has changed it. */
  written: Json;
  /** The source's value (a file's fingerprint) that an editor has overruled: it is not delivered again. */
  overruled?: Json;
  /** What the editor has written instead. */
  kept?: Json;
}

/** Attribute → what is remembered of it. */
export type EditorState = Record<string, EditableAttribute>;

/** Reads the column. */
export function toEditorState(column: string | null): EditorState {
  return column ? (JSON.parse(column) as EditorState) : {};
}
