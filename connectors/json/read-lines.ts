import type { ReadContext } from '../../src/core/connector.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { type Line, splitLines } from '../text/split-lines.ts';
import { parseExactly } from './exact-numbers.ts';
import { itemRecord } from './item-record.ts';

/** A longer line, in characters, is rejected rather than held in memory. */
const MAX_LINE = 10_000_000;

/** Streams the records of newline-delimited JSON, one object a line. Skips blank lines; a malformed line is rejected alone. */
export async function* readLines(feed: Feed, context: ReadContext): AsyncGenerator<SourceRecord> {
  for await (const lines of splitLines(feed.text(), MAX_LINE, /\r?\n/g)) {
    for (const line of lines) {
      context.report({ lastLineEnded: line.end !== '' });
      if (line.text.trim() === '' && !line.tooLong) continue;
      const at = `line ${line.number}`;
      const parsed = parseLine(line);
      if ('problem' in parsed) {
        const fields = { line: line.text.slice(0, 200) };
        context.reject({ at, code: 'FF_RECORD_MALFORMED', reason: parsed.problem, fields });
      } else {
        const record = itemRecord(at, parsed.value, context);
        if (record) yield record;
      }
    }
  }
}

function parseLine({ text, tooLong }: Line): { value: unknown } | { problem: string } {
  if (tooLong) return { problem: `the line has more than ${MAX_LINE} characters` };
  try {
    return { value: parseExactly(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: `the line is not valid JSON: ${error.message}` };
  }
}
