/** Reads one value out of the fields of a source record; undefined where it is absent. */
export type FieldReader = (fields: Readonly<Record<string, unknown>>) => unknown;

const segmentPattern = /\["([^"]+)"\]|\[(\d+)\]|\.?((?:[^.[]|\[(?!\d+\]|"[^"]+"\]))+)/gy;

/**
 * Compiles a field path: `name.first`, `categories[0]`, `["a name. with dots"].b`. Only own properties are read. A field
 * whose whole name is the path wins, as a CSV header may well hold dots.
 */
export function compilePath(path: string): FieldReader {
  const segments = segmentsOf(path);
  const [only] = segments;
  if (segments.length === 1 && only === path) return (fields) => own(fields, path);
  return (fields) => (Object.hasOwn(fields, path) ? fields[path] : segments.reduce(own, fields));
}

/** The field of the record that a path starts at. */
export function firstSegment(path: string): string {
  return segmentsOf(path)[0] ?? path;
}

function segmentsOf(path: string): string[] {
  const segments = [...path.matchAll(segmentPattern)];
  const covered = segments.reduce((length, [whole]) => length + whole.length, 0);
  // What is no path, such as "a..b", is a plain name.
  if (covered < path.length || path.startsWith('.')) return [path];
  return segments.map(([, quoted, index, name]) => quoted ?? index ?? name ?? '');
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
