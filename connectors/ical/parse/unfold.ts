/** Lines that never continue a value, although the line before ends like a soft line break. */
const structural = /^(?:BEGIN:|END:V|UID[:;]|DT(?:START|END|STAMP)[:;])/i;

/** Returns whether a content line has a quoted-printable value. */
function isQuotedPrintable(line: string): boolean {
  return /^[^:]*[;=]\s*"?QUOTED-PRINTABLE\b/i.test(line);
}

/** Returns whether a line continues a content line, of which the first and the last line are given: folded or after a soft line break. */
export function continues(first: string, last: string, line: string): boolean {
  if (/^[ \t]/.test(line)) return true;
  return last.endsWith('=') && isQuotedPrintable(first) && !structural.test(line);
}

/** Joins the lines of a content line (RFC 5545, 3.1). */
export function unfold(first: string, more: readonly string[]): string {
  if (more.length === 0 && !first.endsWith('=')) return first;
  if (isQuotedPrintable(first)) return joinQuotedPrintable([first, ...more]);
  return first + more.map((line) => line.slice(1)).join('');
}

/**
 * Joins the lines of a quoted-printable value, also after soft line breaks (RFC 2045, 6.7). A blank after a soft line break belongs to
 * the text, unless the lines are folded as well: several lines and all begin with a blank, or a blank is inside of a character.
 */
function joinQuotedPrintable(lines: readonly string[]): string {
  const isSoft = (index: number) => lines[index - 1]?.endsWith('=') ?? false;
  const afterBreaks = lines.filter((_, index) => isSoft(index));
  const areFolded = afterBreaks.length > 1 && afterBreaks.every((line) => /^[ \t]/.test(line));
  const isInCharacter = (index: number) =>
    /=[C-F][\dA-F]=$/i.test(lines[index - 1] ?? '') && /^[ \t]=[89AB][\dA-F]/i.test(lines[index] ?? '');
  const textOf = (line: string, index: number) => {
    const isContent = index === 0 || (isSoft(index) && !areFolded && !isInCharacter(index));
    const text = isContent ? line : line.replace(/^[ \t]/, '');
    return text.endsWith('=') ? text.slice(0, -1) : text;
  };
  return lines.map(textOf).join('');
}
