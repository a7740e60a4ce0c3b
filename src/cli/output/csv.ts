/** Excel takes a file for UTF-8 only if it begins with this. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** What a spreadsheet takes for the beginning of a formula, also in its full width. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const number = /^[+-]?\d+([.,]\d+)*%?$/;

/**
 * One line of CSV (RFC 4180) that is safe to open in a spreadsheet: what it would take for a formula gets an apostrophe in
 * front, after OWASP's "CSV Injection". Numbers stay as they are.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(text: string): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
