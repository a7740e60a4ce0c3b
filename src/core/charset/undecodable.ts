/**
 * Bytes that cannot be decoded stand in the text as private characters, one for each byte, so that only their own record is
 * rejected. Other characters could not be told from those of the text itself.
 */
const FIRST = 0x10ff00;

const mark = /[\u{10ff00}-\u{10ffff}]/gu;

/** Returns the characters that stand for bytes that cannot be decoded. */
export function markBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCodePoint(FIRST + byte)).join('');
}

/** Replaces each marked byte. */
export function replaceMarks(text: string, replacement: (byte: number) => string): string {
  return text.replace(mark, (character) => replacement((character.codePointAt(0) ?? FIRST) - FIRST));
}

/** Shows marked bytes as `\xC3`. */
export function showMarks(text: string): string {
  return replaceMarks(text, showByte);
}

/** Shows a byte as `\xC3`. */
export function showByte(byte: number): string {
  return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Finds the first text with marked bytes in a JSON value, or in the names of its members. */
export function markedIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.search(mark) === -1 ? undefined : value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = markedIn(name) ?? markedIn(member);
    if (found !== undefined) return found;
  }
  return undefined;
}
