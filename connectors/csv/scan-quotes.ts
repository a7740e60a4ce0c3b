/** How the fields of a row are separated and quoted. */
export interface Quoting {
  delimiter: string;
  /** Undefined: quotes are ordinary characters. */
  quote?: string;
}

/** The state of the quotes of a row after a line. */
export type QuoteState = 'closed' | 'open' | 'malformed';

/**
 * Scans the quotes of a line (RFC 4180): a quote opens at the start of a field, and closes before a delimiter or the end.
 * Beyond the RFC, quotes inside an unquoted field are text in pairs (`37°36'37.8"N 121°2'17.9"W`), and after a number with more text
 * behind it (`12" vinyl`). Another single one is malformed, and so is one after blanks at the start: it is meant to open a
 * quoted field.
 * @param isOpen whether the line starts inside a quoted field
 */
export function scanQuotes(text: string, isOpen: boolean, { quote, delimiter }: Quoting): QuoteState {
  if (quote === undefined || (!isOpen && !text.includes(quote))) return 'closed';
  let at = 0;
  let isQuoted = isOpen;
  for (;;) {
    if (isQuoted) {
      const closing = text.indexOf(quote, at);
      if (closing === -1) return 'open';
      const isDoubled = text[closing + 1] === quote;
      at = closing + (isDoubled ? 2 : 1);
      if (isDoubled) continue;
      if (at === text.length) return 'closed';
      if (!text.startsWith(delimiter, at)) return 'malformed';
      at += delimiter.length;
    }
    isQuoted = text[at] === quote;
    if (isQuoted) {
      at += 1;
      continue;
    }
    const next = text.indexOf(delimiter, at);
    const field = text.slice(at, next === -1 ? undefined : next);
    if (field.includes(quote) && isMisplaced(field, quote)) return 'malformed';
    if (next === -1) return 'closed';
    at = next + delimiter.length;
  }
}

function isMisplaced(field: string, quote: string): boolean {
  if (field.trimStart().startsWith(quote)) return true;
  const [first = '', ...others] = field.split(quote);
  // Parts that a quote separates: inches, feet and minutes of a degree count as text.
  const inches = others.filter((part, index) => isMeasure(index === 0 ? first : (others[index - 1] ?? ''), part));
  return others.length % 2 === 1 && (others.length - inches.length) % 2 === 1;
}

/** Whether a quote between two texts is a unit after a number: 12" vinyl, 7"-Single, 5'10" tall, ½" pipe. */
function isMeasure(before: string, after: string): boolean {
  return /[\d½¼¾]$/.test(before) && /^(?:[\s\-–×/)]+[^\s\-–×/)]|[x×]\s?\d)/.test(after);
}
