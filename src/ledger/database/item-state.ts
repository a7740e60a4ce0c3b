import { isDeepStrictEqual } from 'node:util';
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
  /** Attribute → fingerprint of its file. */
  deliveredAttachments: Record<string, string>;
  /** The item existed before feedferry knew it. */
  isAdopted: boolean;
  /** The values that the CMS made of delivered ones, for attributes that it shows differently. */
  madeByCms: Payload;
  editorState: EditorState;
  /** Values that the attributes of the mark had before the item was marked; null: the item has no mark. */
  attributesBeforeMark: Payload | null;
}

/** The columns that say what an item has: its content, as JSON, and the column `item`. */
export interface DeliveredColumns {
  delivered: string | null;
  item: string | null;
}

// The column `item` of records and staged changes. Most items have little to remember.

interface Column {
  isAdopted?: true | undefined;
  made?: Payload | undefined;
  editors?: EditorState | undefined;
  marked?: Payload | undefined;
  files?: Record<string, string> | undefined;
  /** The delivered attributes that the content has not, or not with these values, and those of the content that were not delivered. */
  other?: Payload | undefined;
  lacks?: string[] | undefined;
}

/** @param content what was delivered, and the content to which the record points for it; absent: they are the same */
export function itemColumn(
  state: Partial<ItemState>,
  { delivered, base }: { delivered: Payload; base: Payload } = { delivered: {}, base: {} },
): string | null {
  const other = Object.entries(delivered).filter(([name, value]) => !isDeepStrictEqual(base[name], value));
  const column: Column = {
    isAdopted: state.isAdopted || undefined,
    made: unlessEmpty(state.madeByCms),
    editors: unlessEmpty(state.editorState),
    marked: state.attributesBeforeMark ?? undefined,
    files: unlessEmpty(state.deliveredAttachments),
    other: unlessEmpty(Object.fromEntries(other)),
    lacks: unlessEmpty(Object.keys(base).filter((name) => !Object.hasOwn(delivered, name))),
  };
  const text = JSON.stringify(column);
  return text === '{}' ? null : text;
}

export function itemIn(text: string | null): ItemState {
  const { isAdopted = false, made = {}, editors = {}, marked = null, files = {} } = columnIn(text);
  return {
    ...{ isAdopted, madeByCms: made, editorState: editors, attributesBeforeMark: marked },
    deliveredAttachments: files,
  };
}

/** What was delivered of the attributes of a record; null: nothing. */
export function deliveredIn({ delivered, item }: DeliveredColumns): Payload | null {
  if (delivered === null) return null;
  const { other, lacks = [] } = columnIn(item);
  const payload = { ...(JSON.parse(delivered) as Payload), ...other };
  for (const name of lacks) delete payload[name];
  return payload;
}

function columnIn(text: string | null): Column {
  return text === null ? {} : (JSON.parse(text) as Column);
}

function unlessEmpty<Value extends object>(value: Value | undefined): Value | undefined {
  return value && Object.keys(value).length > 0 ? value : undefined;
}

/** Of records: the item existed before feedferry knew it. */
export const isAdopted = sql<boolean>`coalesce(records.item, '') like '{"isAdopted":true%'`;

/** Of records: the CMS shows some attribute differently. Quotes within texts are escaped. */
export const isRewritten = sql<boolean>`records.item like '%"made":{%'`;
