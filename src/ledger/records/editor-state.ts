import type { Json } from '../../core/record.ts';

/** What the ledger remembers of an attribute in which an editor's word counts. */
interface EditableAttribute {
  /** What the CMS made of our own last write: while it still has that, nobody has edited it. */
  written: Json;
  /** The source's value (a file's fingerprint) that gave way to an editor's: it is not brought up again. */
  overruled?: Json;
}

/** Attribute → what is remembered of it. */
export type EditorState = Record<string, EditableAttribute>;

/** Reads the column. */
export function toEditorState(column: string | null): EditorState {
  return column ? (JSON.parse(column) as EditorState) : {};
}
