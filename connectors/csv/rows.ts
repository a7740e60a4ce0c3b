import type { ReadContext } from '../../src/core/connector.ts';
import type { Line } from './lines.ts';

/** How a CSV text is written. */
export interface Dialect {
  delimiter: string;
  quote: string;
  comment?: string;
  /** Longest row, in characters. */
  maxLength: number;
}

/** One row: a line, or several where a quoted value spans them. Its quotes are known to be well-formed. */
export interface Row {
  /** The line that it starts at. */
  line: number;
  text: string;
  /** Whether a line end follows it. */
  terminated: boolean;
}

type QuoteState = 'closed' | 'open' | 'malformed';

/**
 * Puts lines together to rows, leaving out blank lines and comments. A row with a stray or unclosed quote is rejected by
 * its first line only, and reading goes on at the next one: the lines that an unclosed quote swallowed are read again.
 */
export async function* assembleRows(
  lines: AsyncIterable<Line>,
  dialect: Dialect,
  context: Pick<ReadContext, 'reject' | 'incomplete'>,
): AsyncGenerator<Row> {
  const queue = new LineQueue(lines);
  for (let line = await queue.next(); line !== undefined; line = await queue.next()) {
    if (line.text.trim() === '' && !line.tooLong) continue;
    if (dialect.comment !== undefined && line.text.startsWith(dialect.comment)) continue;
    const { held, state } = await holdUntilClosed(line, queue, dialect);
    if (state === 'closed') yield toRow(held);
    else {
      queue.putBack(held.slice(1));
      reject(line, state, dialect, context);
    }
  }
}

/** Lines that can be put back, to be read again. */
class LineQueue {
  readonly #lines: AsyncIterator<Line>;
  readonly #again: Line[] = [];

  constructor(lines: AsyncIterable<Line>) {
    this.#lines = lines[Symbol.asyncIterator]();
  }

  async next(): Promise<Line | undefined> {
    const again = this.#again.pop();
    if (again !== undefined) return again;
    const next = await this.#lines.next();
    return next.done ? undefined : next.value;
  }

  putBack(lines: Line[]): void {
    for (const line of lines.reverse()) this.#again.push(line);
  }
}

async function holdUntilClosed(first: Line, queue: LineQueue, dialect: Dialect) {
  const held = [first];
  if (first.tooLong) return { held, state: 'too long' as const };
  let length = first.text.length;
  let state = scanQuotes(first.text, false, dialect);
  while (state === 'open' && length <= dialect.maxLength) {
    const line = await queue.next();
    if (line === undefined) return { held, state };
    held.push(line);
    length += line.text.length;
    state = line.tooLong ? 'open' : scanQuotes(line.text, true, dialect);
  }
  return { held, state };
}

/** Where a line leaves the quotes, RFC 4180: a quote opens at a field's start, and closes before a delimiter or the end. */
function scanQuotes(text: string, open: boolean, { quote, delimiter }: Dialect): QuoteState {
  if (!open && !text.includes(quote)) return 'closed';
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
    if (field.includes(quote)) return 'malformed';
    if (next === -1) return 'closed';
    at = next + 1;
  }
}

function toRow(held: Line[]): Row {
  const last = held.at(-1);
  const text = held.map((line) => (line === last ? line.text : line.text + line.end)).join('');
  return { line: held[0]?.number ?? 0, text, terminated: last?.end !== '' };
}

function reject(
  line: Line,
  state: Exclude<QuoteState, 'closed'> | 'too long',
  dialect: Dialect,
  context: Pick<ReadContext, 'reject' | 'incomplete'>,
): void {
  const reasons = {
    malformed: `a quote ${dialect.quote} stands where none may be; inside a quoted value it must be doubled`,
    open: `a quote ${dialect.quote} is opened and never closed`,
    'too long': `the line has more than ${dialect.maxLength} characters`,
  };
  context.reject({
    at: `line ${line.number}`,
    code: 'FF_RECORD_MALFORMED',
    reason: reasons[state],
    fields: { row: line.text.slice(0, 200) },
  });
  if (state === 'open') context.incomplete(`a quote opened in line ${line.number} is never closed`);
}
