import type { Line } from '../text/split-lines.ts';
import { type QuoteState, type Quoting, scanQuotes } from './scan-quotes.ts';

const patterns = new Map<string, RegExp>();

/** How a CSV text is written. */
export interface Dialect extends Quoting {
  comment?: string;
  /** The line that reading starts at. Before it are no data: `sep=`, blank lines, a title above the header. */
  firstLine: number;
  /** Longest row, in characters. */
  maxLength: number;
}

/** One row: a line, or several if a quoted field spans them. */
export interface Row {
  /** The number of its first line. */
  line: number;
  text: string;
  /** Whether it ends with a line end. */
  terminated: boolean;
  /** Whether blank lines are directly above it. */
  isAfterGap: boolean;
  /** Why it cannot be read. Undefined: its quotes are well-formed. */
  problem?: string;
}

/**
 * Joins lines to rows and skips blank lines and comments. Of a row with a misplaced or unclosed quote, only the first line
 * is given up: the lines that an unclosed quote enclosed are read again as rows of their own.
 * @param onUnclosed gets the line of each quote that is never closed
 */
export async function* assembleRows(
  batches: AsyncIterable<readonly Line[]> | Iterable<readonly Line[]>,
  dialect: Dialect,
  onUnclosed: (line: number) => void,
): AsyncGenerator<Row[]> {
  const { comment, firstLine, maxLength } = dialect;
  /** The lines of a row whose quote is still open. */
  let held: Line[] = [];
  let heldLength = 0;
  let isAfterGap = false;

  for await (const lines of batches) yield assemble(lines);
  while (held.length > 0) {
    const waiting: Line[] = [];
    yield [giveUp('open', waiting), ...assemble(waiting.reverse())];
  }

  function assemble(lines: readonly Line[]): Row[] {
    const rows: Row[] = [];
    const waiting = lines.toReversed();
    for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
      const isFirst = held.length === 0;
      if (isFirst && isIgnored(line)) continue;
      const text = isFirst ? withoutTextMarkers(withoutMark(line.text, dialect), dialect) : line.text;
      const state = line.tooLong ? (isFirst ? 'too long' : 'open') : scanQuotes(text, !isFirst, dialect);
      if (isFirst && state === 'closed') {
        rows.push({ line: line.number, text, terminated: line.end !== '', isAfterGap: passGap() });
        continue;
      }
      held.push(text === line.text ? line : { ...line, text });
      heldLength += line.tooLong ? maxLength + 1 : line.text.length;
      if (state === 'closed') rows.push(joinLines(release(), passGap()));
      else if (state !== 'open' || heldLength > maxLength) rows.push(giveUp(state, waiting));
    }
    return rows;
  }

  function isIgnored({ number, text, tooLong }: Line): boolean {
    if (number < firstLine || (comment !== undefined && text.startsWith(comment))) return true;
    const isEmpty = !tooLong && text.trim() === '';
    isAfterGap ||= isEmpty;
    return isEmpty;
  }

  function passGap(): boolean {
    const isAfter = isAfterGap;
    isAfterGap = false;
    return isAfter;
  }

  /** Puts the lines after the first back to the waiting ones. */
  function giveUp(state: Exclude<QuoteState, 'closed'> | 'too long', waiting: Line[]): Row {
    const [first, ...others] = release();
    for (const line of others.reverse()) waiting.push(line);
    const line = first?.number ?? 0;
    if (state === 'open') onUnclosed(line);
    const problem = problemOf(state, dialect);
    return { line, text: first?.text ?? '', terminated: true, isAfterGap: passGap(), problem };
  }

  function release(): Line[] {
    const lines = held;
    held = [];
    heldLength = 0;
    return lines;
  }
}

/** Files that were joined have a byte order mark where each begins. Before a quote, it would hide the start of the field. */
function withoutMark(text: string, { quote }: Dialect): string {
  return text.charCodeAt(0) === 0xfeff && text[1] === quote ? text.slice(1) : text;
}

function joinLines(lines: readonly Line[], isAfterGap: boolean): Row {
  const last = lines.at(-1);
  const text = lines.map((line) => (line === last ? line.text : line.text + line.end)).join('');
  return { line: lines[0]?.number ?? 0, text, terminated: last?.end !== '', isAfterGap };
}

function problemOf(state: Exclude<QuoteState, 'closed'> | 'too long', { quote, maxLength }: Dialect): string {
  if (state === 'open') return `an opening quote (${quote}) is never closed`;
  if (state === 'too long') return `the line has more than ${maxLength} characters (source.maxRecordBytes)`;
  const rule = 'a quoted field starts with it, without a blank before; inside the field, write it twice';
  return `misplaced quote (${quote}): ${rule}. If quotes are ordinary text in this feed, write quote: none under source`;
}

/**
 * Removes the `=` before a quoted field. Spreadsheets read `="0012"` as the text 0012, with or without delimiters inside.
 * @param text a line that does not start inside a quoted field
 */
function withoutTextMarkers(text: string, { quote, delimiter }: Quoting): string {
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
