/** Returns the start and the end of the part in which a text differs from another text; it begins and ends with whole words. */
export function changedPart(text: string, other: string): [number, number] {
  const shorter = Math.min(text.length, other.length);
  let start = 0;
  while (start < shorter && text[start] === other[start]) start += 1;
  let same = 0;
  while (same < shorter - start && text.at(-1 - same) === other.at(-1 - same)) same += 1;
  // The part may start neither inside a word nor inside a surrogate pair.
  while (start > 0 && /[\p{L}\p{N}\p{Surrogate}]/u.test(text[start - 1] ?? '')) start -= 1;
  while (same > 0 && /[\p{L}\p{N}\p{Surrogate}]/u.test(text.at(-same) ?? '')) same -= 1;
  return [start, text.length - same];
}
