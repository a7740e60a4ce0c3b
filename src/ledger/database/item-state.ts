import { sql } from 'kysely';
import type { Json, Payload } from '../../core/record.ts';

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

/** What is remembered of an item besides its content. */
export interface ItemState {
  /** The item existed before feedferry knew it. */
  isAdopted: boolean;
  /** The values that the CMS made of delivered ones, for attributes that it shows differently. */
  madeByCms: Payload;
  editorState: EditorState;
  /** Values that the attributes of the mark had before the item was marked; null: the item has no mark. */
  attributesBeforeMark: Payload | null;
}

// The column `item` of records and staged changes. Most items have nothing to remember.

export function itemColumn(state: Partial<ItemState>): string | null {
  const { isAdopted = false, madeByCms = {}, editorState = {}, attributesBeforeMark: marked = null } = state;
  const column = JSON.stringify({
    isAdopted: isAdopted || undefined,
    made: isEmpty(madeByCms) ? undefined : madeByCms,
    editors: isEmpty(editorState) ? undefined : editorState,
    marked: marked ?? undefined,
  });
  return column === '{}' ? null : column;
}

export function itemIn(column: string | null): ItemState {
  const known = column === null ? {} : (JSON.parse(column) as Columns);
  const { isAdopted = false, made = {}, editors = {}, marked = null } = known;
  return { isAdopted, madeByCms: made, editorState: editors, attributesBeforeMark: marked };
}

type Columns = { isAdopted?: true; made?: Payload; editors?: EditorState; marked?: Payload };

/** Of records: the item existed before feedferry knew it. */
export const isAdopted = sql<boolean>`coalesce(records.item, '') like '{"isAdopted":true%'`;

/** Of records: the CMS shows some attribute differently. Quotes within texts are escaped. */
export const isRewritten = sql<boolean>`records.item like '%"made":{%'`;

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
