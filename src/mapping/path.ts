/** The fields of a source record. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reads one value from the fields of a source record; undefined if it is absent. */
export type FieldReader = (fields: Fields) => unknown;

const segmentPattern = /\["([^"]+)"\]|\[(\d+)\]|\.?((?:[^.[]|\[(?!\d+\]|"[^"]+"\]))+)/gy;

/**
 * Compiles a field path: `name.first`, `categories[0]`, `["a name. with dots"].b`. Only own properties are read. A
 * field with exactly the name of the path comes first, because CSV headers may contain dots.
 */
export function compilePath(path: string): FieldReader {
  const segments = segmentsOf(path);
  const [only] = segments;
  if (segments.length === 1 && only === path) return (fields) => own(fields, path);
  return (fields) => (Object.hasOwn(fields, path) ? fields[path] : segments.reduce(own, fields));
}

/** Returns the field of the record in which a path starts. */
export function firstSegment(path: string): string {
  return segmentsOf(path)[0] ?? path;
}

function segmentsOf(path: string): string[] {
  const segments = [...path.matchAll(segmentPattern)];
  const covered = segments.reduce((length, [whole]) => length + whole.length, 0);
  // Text that is not a path, such as "a..b", is a plain name.
  if (covered < path.length || path.startsWith('.')) return [path];
  return segments.map(([, quoted, index, name]) => quoted ?? index ?? name ?? '');
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
