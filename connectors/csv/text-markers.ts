import type { Quoting } from './scan-quotes.ts';

const patterns = new Map<string, RegExp>();

/**
 * Removes the `=` before a quoted field. Spreadsheets read `="0012"` as the text 0012, with or without delimiters inside.
 * @param text a line that does not start inside a quoted field
 */
export function withoutTextMarkers(text: string, { quote, delimiter }: Quoting): string {
  if (quote === undefined || !text.includes(`=${quote}`)) return text;
  return text.replace(patternOf(quote, delimiter), (whole, before: string, marked?: string) =>
    marked === undefined ? whole : before + marked,
  );
}

/** Matches quoted fields, because what is inside them only looks like a field, and those with a marker. */
function patternOf(quote: string, delimiter: string): RegExp {
  const known = patterns.get(quote + delimiter);
  if (known) return known;
  const [q, d] = [quote, delimiter].map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  const quoted = `${q}(?:[^${q}]|${q}${q})*${q}`;
  const pattern = new RegExp(`(^|${d})(?:=(${quoted})|${quoted})(?=${d}|$)`, 'g');
  patterns.set(quote + delimiter, pattern);
  return pattern;
}
