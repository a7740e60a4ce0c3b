/** Characters without width or meaning that exports and copied text leave in names: soft hyphens, marks of order and direction. */
const INVISIBLE = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/g;
/** Joiners have a meaning between letters, but not at an end. */
const OUTER_JOINER = /(?<=^|\s)(?:\u200C|\u200D)|(?:\u200C|\u200D)(?=\s|$)/g;
/** A longer text is no name. */
const LONGEST_NAME = 200;

/**
 * Reads the names of a header row: without invisible characters, and without empty names at the end.
 * @param mapped names that the sync writes, possibly with such characters: they stay as they are
 */
export function columnNames(header: readonly string[], mapped?: ReadonlySet<string>): string[] {
  const names = header.map((name) => {
    const trimmed = name.trim();
    return mapped?.has(trimmed) ? trimmed : visible(trimmed);
  });
  while (names.at(-1) === '') names.pop();
  return names;
}

function visible(name: string): string {
  if (name.length > LONGEST_NAME) return name;
  return name
    .replace(INVISIBLE, '')
    .replace(/[\u00A0\u2007\u202F]/g, ' ')
    .replace(OUTER_JOINER, '')
    .trim();
}

/** Returns what two spellings of a name have in common: `Start Date` and `start_date`. */
export function nameKey(name: string): string {
  if (name.length > LONGEST_NAME) return name;
  const plain = visible(name).normalize('NFKC').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, '') || plain;
}

/** Returns names as messages show them. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 30).map((name) => `"${name.slice(0, 60)}"`);
  return names.length > shown.length ? `${shown.join(', ')} and ${names.length - shown.length} more` : shown.join(', ');
}
