/** The fields of a source record. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reads one value from the fields of a source record; undefined if it is absent. */
export type FieldReader = (fields: Fields) => unknown;

/** A name, or an index in brackets. */
type Segment = string | number;

const segmentPattern = /\["([^"]+)"\]|\[(\d+)\]|\.?((?:[^.[]|\[(?!\d+\]|"[^"]+"\]))+)/gy;

/**
 * Compiles a field path: `name.first`, `categories[0]`, `["a name. with dots"].b`. Only own properties are read. A
 * field with exactly the name of the path comes first, because CSV headers may contain dots. A name that follows a list is read
 * of each item. `[0]` of a value that is not a list is the value, because many programs write a list of one item as the item.
 */
export function compilePath(path: string): FieldReader {
  const segments = segmentsOf(path);
  const [only] = segments;
  if (segments.length === 1 && only === path) return (fields) => own(fields, path);
  return (fields) => (Object.hasOwn(fields, path) ? fields[path] : segments.reduce(stepInto, fields));
}

/**
 * Compiles a reader of the list or text that a path meets before its end; undefined if it meets neither. Other records may have
 * an object there.
 */
export function compileInterruption(path: string): FieldReader {
  const [first = '', ...next] = segmentsOf(path);
  return (fields) => {
    let value = stepInto(fields, first);
    for (const segment of next) {
      const isIndex = typeof segment === 'number' || /^\d+$/.test(segment);
      if (typeof value === 'string' && value.trim() !== '' && segment !== 0) return value;
      if (Array.isArray(value) && !isIndex) return value;
      value = stepInto(value, segment);
    }
    return undefined;
  };
}

/** Returns the field of the record in which a path starts. */
export function firstSegment(path: string): string {
  return String(segmentsOf(path)[0] ?? path);
}

function segmentsOf(path: string): Segment[] {
  const segments = [...path.matchAll(segmentPattern)];
  const covered = segments.reduce((length, [whole]) => length + whole.length, 0);
  // Text that is not a path, such as "a..b", is a plain name.
  if (covered < path.length || path.startsWith('.')) return [path];
  return segments.map(([, quoted, index, name]) => (index === undefined ? (quoted ?? name ?? '') : Number(index)));
}

function stepInto(value: unknown, segment: Segment): unknown {
  if (typeof segment === 'string') return own(value, segment);
  if (Array.isArray(value)) return value[segment];
  return own(value, String(segment)) ?? (segment === 0 ? value : undefined);
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name];
  return Array.isArray(value) ? ofItems(value, name) : undefined;
}

/** Returns the member of each item of a list; without a list if only one item has it. */
function ofItems(items: readonly unknown[], name: string): unknown {
  const members = items.flatMap((item) => (Array.isArray(item) ? [] : (own(item, name) ?? [])));
  return members.length > 1 ? members : members[0];
}
