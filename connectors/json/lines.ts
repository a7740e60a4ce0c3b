import type { ReadContext } from '../../src/core/connector.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { toRecord } from './item.ts';
import { MAX_DEPTH, Outline } from './outline.ts';
import { createJsonReader, syntaxProblem } from './tokens.ts';

/** A longer line is rejected rather than held in memory; in characters. */
const MAX_LINE = 10_000_000;

/** Streams the records of newline-delimited JSON: one object a line, blank lines left out, a bad line rejected alone. */
export async function* readLines(feed: Feed, context: ReadContext): AsyncGenerator<SourceRecord> {
  let number = 0;
  for await (const line of splitLines(feed.text())) {
    number += 1;
    if (line.trim() === '') continue;
    const at = `line ${number}`;
    const parsed = parseLine(line);
    if ('problem' in parsed) {
      const fields = { line: line.slice(0, 200) };
      context.reject({ at, code: 'FF_RECORD_MALFORMED', reason: parsed.problem, fields });
    } else {
      const record = toRecord(at, parsed.value, context);
      if (record) yield record;
    }
  }
}

function parseLine(line: string): { value: unknown } | { problem: string } {
  if (line.length > MAX_LINE) return { problem: `the line has more than ${MAX_LINE} characters` };
  let value: unknown;
  const outline = new Outline((_, keys) => {
    if (keys.length >= MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
  });
  const reader = createJsonReader({
    depth: 0,
    onToken: (token) => outline.follow(token),
    onValue: (whole) => {
      value = whole;
    },
  });
  try {
    reader.write(line);
    return reader.end() ? { value } : { problem: 'the line is not whole JSON: it is cut off' };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { problem: `the line is not JSON: ${syntaxProblem(error)}` };
  }
}

async function* splitLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    // What goes beyond the limit is not needed to reject the line.
    if (rest.length > MAX_LINE) rest = rest.slice(0, MAX_LINE + 1);
    yield* lines;
  }
  if (rest !== '') yield rest;
}
