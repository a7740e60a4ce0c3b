/** How a line leaves the quotes of its row. */
export type QuoteState = 'closed' | 'open' | 'malformed';

/**
 * Where a line leaves the quotes, RFC 4180: a quote opens at a field's start, and closes before a delimiter or the end.
 * Further than the RFC: pairs of quotes inside an unquoted field are text (`37°36'37.8"N 121°2'17.9"W`), a single one is not.
 * @param open whether the line starts inside a quoted value.
 */
export function scanQuotes(
  text: string,
  open: boolean,
  { quote, delimiter }: { quote?: string; delimiter: string },
): QuoteState {
  if (quote === undefined || (!open && !text.includes(quote))) return 'closed';
  let at = 0;
  let quoted = open;
  for (;;) {
    if (quoted) {
      const closing = text.indexOf(quote, at);
      if (closing === -1) return 'open';
      const doubled = text[closing + 1] === quote;
      at = closing + (doubled ? 2 : 1);
      if (doubled) continue;
      if (at === text.length) return 'closed';
      if (text[at] !== delimiter) return 'malformed';
      at += 1;
    }
    quoted = text[at] === quote;
    if (quoted) {
      at += 1;
      continue;
    }
    const next = text.indexOf(delimiter, at);
    const field = text.slice(at, next === -1 ? undefined : next);
    if (field.split(quote).length % 2 === 0) return 'malformed';
    if (next === -1) return 'closed';
    at = next + 1;
  }
}
