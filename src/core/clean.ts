/** Returns whether a text contains characters that databases refuse: NUL, or half of a surrogate pair. */
export function isUnclean(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/** Returns the text without NUL and lone surrogates. */
export function clean(text: string): string {
  return isUnclean(text) ? text.replace(/\0|\p{Surrogate}/gu, '') : text;
}
