import { TextDecoder } from 'node:util';

/** Returns whether a text contains characters that databases refuse: NUL, or half of a surrogate pair. */
export function isUnclean(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/** Returns the text without NUL and lone surrogates. */
export function clean(text: string): string {
  return isUnclean(text) ? text.replace(/\0|\p{Surrogate}/gu, '') : text;
}

const control = /(?![\t\n\r])\p{Cc}/u;
const controls = /(?![\t\n\r])\p{Cc}(?:\[[0-9;?]{1,20}[A-Za-z])?/gu;
const western = new TextDecoder('windows-1252');

/**
 * Returns a text for people, without control characters. Vertical tabs and form feeds become line breaks. Those of Latin-1 become the
 * quotes and dashes that windows-1252 has in their place, as in browsers.
 */
export function readable(text: string): string {
  if (!control.test(text)) return clean(text);
  return clean(text.replace(controls, shown));
}

function shown(code: string): string {
  if (code === '\v' || code === '\f') return '\n';
  const letter = code < '\u0080' ? '' : western.decode(Uint8Array.of(code.charCodeAt(0)));
  return control.test(letter) ? '' : letter;
}
