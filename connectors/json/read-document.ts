import type { ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { DocumentParser, syntaxProblem } from './document-parser.ts';
import { ItemFinder } from './item-finder.ts';
import { itemRecord } from './item-record.ts';
import type { Step } from './path.ts';

/** What to take from a document. */
export interface DocumentShape {
  /** Absent: the document itself where it is a list, else the only list among its members. */
  items?: readonly Step[];
  /** Single values outside of the items, by name. */
  wanted?: Readonly<Record<string, readonly Step[]>>;
}

/** What a document held besides its records, known once it is read. */
export interface DocumentSummary {
  /** Items, good or bad. */
  items: number;
  values: ReadonlyMap<string, string | number | boolean>;
}

/**
 * Streams the items of one JSON document. Where it breaks off or stops being JSON after its list has begun, the records
 * before that are kept and the read is incomplete.
 * @param onEnd is told of the rest of a document that was read to its end.
 * @throws CodedError FF_FEED_FORMAT where there is no JSON or no list.
 */
export async function* readDocument(
  feed: Feed,
  { items, wanted = {} }: DocumentShape,
  context: ReadContext,
  onEnd?: (summary: DocumentSummary) => void,
): AsyncGenerator<SourceRecord> {
  const finder = new ItemFinder(items, feed.location);
  let found: Array<{ at: string; value: unknown }> = [];
  let count = 0;
  const reader = new DocumentParser({
    location: feed.location,
    items: finder,
    wanted,
    onItem: (at, value) => found.push({ at, value }),
  });
  let problem: string | undefined;
  for await (const chunk of feed.text()) {
    problem = tryWrite(reader, chunk);
    const batch = found;
    found = [];
    count += batch.length;
    for (const { at, value } of batch) {
      const record = itemRecord(at, value, context);
      if (record) yield record;
    }
    if (problem !== undefined) break;
  }
  if (problem === undefined && !reader.end()) problem = 'is cut off: the JSON document is not closed';
  if (problem !== undefined) giveUp(problem, feed, finder, context);
  else if (!finder.found) throw finder.notFound();
  else onEnd?.({ items: count, values: reader.values });
}

/** @returns what is wrong with the JSON. */
function tryWrite(reader: DocumentParser, text: string): string | undefined {
  try {
    reader.write(text);
    return undefined;
  } catch (error) {
    if (error instanceof CodedError || !(error instanceof Error)) throw error;
    // A second document after the first: most likely newline-delimited JSON.
    if (error.message.endsWith('in state ENDED'))
      return 'is not valid JSON: more follows after its end (is it one document a line? Set source.lines: true)';
    return `is not valid JSON: ${syntaxProblem(error)}`;
  }
}

function giveUp(problem: string, feed: Feed, finder: ItemFinder, context: ReadContext): void {
  if (!finder.found) throw new CodedError('FF_FEED_FORMAT', `${feed.location} ${problem}.`);
  context.incomplete(`${feed.location} ${problem}`);
}
