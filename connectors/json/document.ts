import type { ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { toRecord } from './item.ts';
import { ListFinder } from './list-finder.ts';
import type { Step } from './path.ts';
import { createJsonReader, syntaxProblem } from './tokens.ts';

/**
 * Streams the items of a list in one JSON document. Where the document breaks off or stops being JSON after its list has
 * begun, the records before that are kept and the read is incomplete.
 * @throws CodedError FF_FEED_FORMAT where there is no JSON or no list.
 */
export async function* readDocument(
  feed: Feed,
  path: Step[] | undefined,
  context: ReadContext,
): AsyncGenerator<SourceRecord> {
  const { start, rest } = await peekStart(feed.text());
  const finder = new ListFinder(path ?? (start === '[' ? [] : undefined), feed.location);
  const records: SourceRecord[] = [];
  const reader = createJsonReader({
    depth: finder.itemDepth,
    onToken: (token) => finder.follow(token),
    onValue: (value) => {
      const at = finder.itemPlace();
      const record = at === undefined ? undefined : toRecord(at, value, context);
      if (record) records.push(record);
    },
  });
  for await (const chunk of rest) {
    const problem = tryWrite(() => reader.write(chunk));
    yield* records.splice(0);
    if (problem !== undefined) return giveUp(`is not valid JSON: ${problem}`, feed, finder, context);
  }
  const whole = reader.end();
  yield* records.splice(0);
  if (!whole) return giveUp('is cut off: the JSON document is not closed', feed, finder, context);
  if (!finder.found) throw finder.notFound();
}

/** The first character that is not blank, and the whole text again. */
async function peekStart(chunks: AsyncIterable<string>) {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = '';
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    head += next.value;
    if (head.trimStart() !== '') break;
  }
  return { start: head.trimStart().charAt(0), rest: resume(head, iterator) };
}

async function* resume(head: string, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** @returns what is wrong with the JSON. */
function tryWrite(write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    if (error instanceof CodedError || !(error instanceof Error)) throw error;
    // A second document after the first: most likely newline-delimited JSON.
    if (error.message.endsWith('in state ENDED'))
      return 'more follows after its end (is it one document a line? Set source.lines: true)';
    return syntaxProblem(error);
  }
}

function giveUp(problem: string, feed: Feed, finder: ListFinder, context: ReadContext): void {
  if (!finder.found) throw new CodedError('FF_FEED_FORMAT', `${feed.location} ${problem}.`);
  context.incomplete(`${feed.location} ${problem}`);
}
