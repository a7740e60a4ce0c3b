import { isObject, type SourceRecord } from '../../core/record.ts';
import { isNullWord } from '../../mapping/words.ts';

/** A field of the records, at any depth, with its values. */
export interface Column {
  /** Path of the field in the form for a map: `start`, `name.first`, `images[0].url`. */
  path: string;
  /** The names in the path, without indexes. */
  names: readonly string[];
  /** One value per record; undefined if the record does not have the field. */
  values: readonly unknown[];
  /** The values that are not empty, as trimmed texts; of a list, each item. */
  texts: readonly string[];
  /** Number of records that have a value. */
  filled: number;
  /** The different texts that mean "no value", such as TBA. */
  placeholders: readonly string[];
  isList: boolean;
  /** The field, if these are parts of its values: the first or last dates of its ranges. */
  whole?: Column;
}

const MAX_DEPTH = 4;
const MAX_COLUMNS = 400;

interface Step {
  path: string;
  names: string[];
}

const known = new WeakMap<readonly SourceRecord[], Column[]>();

/**
 * Lists the fields of records in the order in which they first appear, only once for the same records. In a list of objects, only
 * the first object counts.
 */
export function listColumns(records: readonly SourceRecord[]): readonly Column[] {
  const columns = known.get(records) ?? readColumns(records);
  known.set(records, columns);
  return columns;
}

function readColumns(records: readonly SourceRecord[]): Column[] {
  const found = new Map<string, { step: Step; values: unknown[] }>();
  for (const [index, { fields }] of records.entries()) {
    for (const [name, value] of Object.entries(fields)) {
      for (const leaf of leaves(value, { path: name, names: [name] }, 1)) add(index, leaf.step, leaf.value);
    }
  }
  return [...found.values()].map(({ step, values }) => toColumn(step, values, records.length));

  function add(index: number, step: Step, value: unknown): void {
    const column = found.get(step.path) ?? { step, values: [] };
    if (!found.has(step.path)) {
      if (found.size >= MAX_COLUMNS) return;
      found.set(step.path, column);
    }
    column.values[index] = value;
  }
}

function* leaves(value: unknown, step: Step, depth: number): Generator<{ step: Step; value: unknown }> {
  const inner = Array.isArray(value) ? value.find((item) => item !== null) : value;
  if (!isObject(inner) || depth >= MAX_DEPTH) {
    yield { step, value };
    // A list of dates also yields its first date as a field.
    if (Array.isArray(value) && typeof inner === 'string' && /\d/.test(inner)) {
      yield { step: { ...step, path: `${step.path}[0]` }, value: inner };
    }
    return;
  }
  const base = Array.isArray(value) ? { ...step, path: `${step.path}[0]` } : step;
  for (const [name, member] of Object.entries(inner)) {
    const path = /^[^.[\]"]+$/.test(name) ? `${base.path}.${name}` : `${base.path}["${name}"]`;
    yield* leaves(member, { path, names: [...base.names, name] }, depth + 1);
  }
}

const strokes = /^(-+|[–—]+|\?+)$/;
const words =
  /^(tba|tbd|tbc|t\.b\.[acd]\.?|n\/?a|null|nil|to be (announced|determined|confirmed)|à (définir|confirmer)|por (definir|confirmar)|a definir|da definire|unbekannt|unknown|folgt|keine angabe)$/i;

const isPlaceholder = (text: string) => strokes.test(text) || words.test(text) || isNullWord(text);

function toColumn({ path, names }: Step, sparse: unknown[], count: number): Column {
  const values = Array.from({ length: count }, (_, index) => sparse[index]);
  const all = values.map(textsOf);
  const perRecord = all.map((texts) => texts.filter((text) => !isPlaceholder(text)));
  return {
    path,
    names,
    values,
    texts: perRecord.flat(),
    filled: perRecord.filter((texts) => texts.length > 0).length,
    placeholders: [...new Set(all.flat().filter(isPlaceholder))],
    isList: values.filter(Array.isArray).length > values.length / 4,
  };
}

/** Returns the field of a column that may have only parts of its values. */
export function fieldOf(column: Column): Column {
  return column.whole ?? column;
}

/** Returns a value of a record as texts; an empty list if the value is empty. */
export function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (value === null || value === undefined || typeof value === 'object') return [];
  const text = String(value).trim();
  return text === '' ? [] : [text];
}

/** Returns the share of values that pass a test; 0 if there are no values. */
export function shareThat({ texts }: Pick<Column, 'texts'>, test: (text: string) => boolean): number {
  return texts.length === 0 ? 0 : texts.filter(test).length / texts.length;
}

/** Returns the number of different values. */
export function countDistinct({ texts }: Pick<Column, 'texts'>): number {
  return new Set(texts).size;
}
