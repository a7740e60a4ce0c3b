import { type QuoteState, scanQuotes } from './scan-quotes.ts';
import type { Line } from './split-lines.ts';

/** How a CSV text is written. */
export interface Dialect {
  delimiter: string;
  /** Absent: quotes are characters like any other. */
  quote?: string;
  comment?: string;
  /** Longest row, in characters. */
  maxLength: number;
}

/** One row: a line, or several where a quoted value spans them. */
export interface Row {
  /** The line that it starts at. */
  line: number;
  text: string;
  /** Whether a line end follows it. */
  terminated: boolean;
  /** Why it cannot be read; absent: its quotes are well-formed. */
  problem?: string;
}

/**
 * Puts lines together to rows, leaving out blank lines and comments. A row with a stray or unclosed quote is given up by
 * its first line only, and reading goes on at the next one: the lines that an unclosed quote swallowed are read again.
 * @param onUnclosed is told the line of a quote that nothing closes.
 */
export async function* assembleRows(
  batches: AsyncIterable<Line[]>,
  dialect: Dialect,
  onUnclosed: (line: number) => void,
): AsyncGenerator<Row[]> {
  const assembler = new RowAssembler(dialect, onUnclosed);
  for await (const lines of batches) yield assembler.add(lines);
  yield assembler.end();
}

class RowAssembler {
  readonly #dialect: Dialect;
  readonly #onUnclosed: (line: number) => void;
  /** The lines of a row whose quote is still open. */
  #held: Line[] = [];
  #heldLength = 0;

  constructor(dialect: Dialect, onUnclosed: (line: number) => void) {
    this.#dialect = dialect;
    this.#onUnclosed = onUnclosed;
  }

  add(lines: readonly Line[]): Row[] {
    const rows: Row[] = [];
    const waiting = lines.toReversed();
    for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
      if (this.#held.length === 0 && this.#isIgnored(line)) continue;
      const row = this.#take(line, waiting);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  end(): Row[] {
    const rows: Row[] = [];
    while (this.#held.length > 0) {
      const again: Line[] = [];
      rows.push(this.#giveUp('open', again), ...this.add(again.reverse()));
    }
    return rows;
  }

  #isIgnored({ text, tooLong }: Line): boolean {
    const { comment } = this.#dialect;
    return (comment !== undefined && text.startsWith(comment)) || (!tooLong && text.trim() === '');
  }

  /** @returns the row that ends with the line. */
  #take(line: Line, waiting: Line[]): Row | undefined {
    const isFirst = this.#held.length === 0;
    const state = line.tooLong ? (isFirst ? 'too long' : 'open') : scanQuotes(line.text, !isFirst, this.#dialect);
    if (isFirst && state === 'closed') return { line: line.number, text: line.text, terminated: line.end !== '' };
    this.#held.push(line);
    this.#heldLength += line.text.length;
    if (state === 'open' && this.#heldLength <= this.#dialect.maxLength) return undefined;
    return state === 'closed' ? this.#complete() : this.#giveUp(state, waiting);
  }

  #complete(): Row {
    const lines = this.#release();
    const last = lines.at(-1);
    const text = lines.map((line) => (line === last ? line.text : line.text + line.end)).join('');
    return { line: lines[0]?.number ?? 0, text, terminated: last?.end !== '' };
  }

  /** The lines after the first go back to those that wait. */
  #giveUp(state: Exclude<QuoteState, 'closed'> | 'too long', waiting: Line[]): Row {
    const [first, ...others] = this.#release();
    for (const line of others.reverse()) waiting.push(line);
    const number = first?.number ?? 0;
    if (state === 'open') this.#onUnclosed(number);
    return { line: number, text: first?.text ?? '', terminated: true, problem: problemOf(state, this.#dialect) };
  }

  #release(): Line[] {
    const held = this.#held;
    this.#held = [];
    this.#heldLength = 0;
    return held;
  }
}

function problemOf(state: Exclude<QuoteState, 'closed'> | 'too long', { quote, maxLength }: Dialect): string {
  if (state === 'open') return `a quote ${quote} is opened and never closed`;
  if (state === 'too long') return `the line has more than ${maxLength} characters`;
  return `a quote ${quote} stands where none may be; inside a quoted value it must be doubled`;
}
