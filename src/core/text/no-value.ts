/** What programs write for no value, in their own spelling: people called Null have a name. */
const ofPrograms =
  /^(?:NULL|null|[(<]null[)>]|NONE|None|nil|NaN|nan|NaT|<NA>|undefined|\[object Object\](?:, \[object Object\]){0,20}|#?N\/A|n\/a|\\N)$/;
const ofPeople = /^(?:t\.?b\.?[acd]\.?|to be (?:announced|advised|determined|confirmed|decided))$/i;
const LONGEST = 400;

/** Returns whether a text is a word of a program for no value. */
export function isNullWord(text: string): boolean {
  return ofPrograms.test(text);
}

/** Returns the word for no value that a text consists of, HTML aside; undefined: it says something. */
export function noValueIn(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const word = (text.includes('<p') || text.includes('<d') ? text.replace(/<[^<>]*>/g, '') : text).trim();
  return ofPrograms.test(word) || ofPeople.test(word) ? word : undefined;
}
