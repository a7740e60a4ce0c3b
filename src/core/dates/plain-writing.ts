const beyondAscii = /[^\x20-\x7e]/;
/** Marks that only direct the display of right-to-left texts. */
const directions = /[\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const isDigit = /\p{Nd}/u;

/**
 * Writes a date or time with the digits 0 to 9 and plain blanks and punctuation, whatever script and width the text has: `٢٠٢٦` and
 * `２０２６` are 2026. Letters stay as they are.
 */
export function plainWriting(text: string): string {
  if (!beyondAscii.test(text)) return text;
  return text
    .replace(directions, '')
    .normalize('NFKC')
    .replace(/(?!\d)\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** The digits of a script follow each other in Unicode, from 0 on. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && isDigit.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}
