/** Excel reads a file as UTF-8 only if the file begins with this mark. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Beginnings that a spreadsheet reads as a formula, including full-width characters. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const number = /^[+-]?\d+([.,]\d+)*%?$/;

/**
 * Writes one line of CSV (RFC 4180) that is safe to open in a spreadsheet: text that would be read as a formula gets an
 * apostrophe in front (OWASP, "CSV Injection"). Numbers stay as they are.
 */
export function csvLine(cells: readonly string[], separator = ','): string {
  return `${cells.map(toCell).join(separator)}\r\n`;
}

function toCell(text: string): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
