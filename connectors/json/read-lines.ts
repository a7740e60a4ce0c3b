import type { ReadContext } from '../../src/core/connector.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { parseExactly } from './exact-numbers.ts';
import { itemRecord } from './item-record.ts';

/** A longer line is rejected rather than held in memory; in characters. */
const MAX_LINE = 10_000_000;

/** Streams the records of newline-delimited JSON: one object a line, blank lines left out, a bad line rejected alone. */
export async function* readLines(feed: Feed, context: ReadContext): AsyncGenerator<SourceRecord> {
  let number = 0;
  for await (const lines of splitLines(feed.text())) {
    for (const line of lines) {
      number += 1;
      if (line.trim() === '') continue;
      const at = `line ${number}`;
      const parsed = parseLine(line);
      if ('problem' in parsed) {
        const fields = { line: line.slice(0, 200) };
        context.reject({ at, code: 'FF_RECORD_MALFORMED', reason: parsed.problem, fields });
      } else {
        const record = itemRecord(at, parsed.value, context);
        if (record) yield record;
      }
    }
  }
}

function parseLine(line: string): { value: unknown } | { problem: string } {
  if (line.length > MAX_LINE) return { problem: `the line has more than ${MAX_LINE} characters` };
  try {
    return { value: parseExactly(line) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: `the line is not JSON: ${error.message}` };
  }
}

async function* splitLines(text: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    // What goes beyond the limit is not needed to reject the line.
    if (rest.length > MAX_LINE) rest = rest.slice(0, MAX_LINE + 1);
    yield lines;
  }
  if (rest !== '') yield [rest];
}
