import type { ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import { factsOfHeaders } from '../../src/core/paging/header-facts.ts';
import { mergeFacts, type PageFacts } from '../../src/core/paging/page-facts.ts';
import { isObject, type SourceRecord } from '../../src/core/record.ts';
import { createDocumentParser } from './document-parser.ts';
import { factsOf } from './envelope.ts';
import { isFullPage, pagesLine } from './further-pages.ts';
import { createItemFinder } from './item-finder.ts';
import { itemRecord } from './item-record.ts';
import type { Step } from './path.ts';

/** Text read, in characters, before the items of a deep list are used: a later list may still be the right one. */
const MAX_HELD = 1_000_000;

/** Which parts to take from a document. */
export interface DocumentShape {
  /** Whether null in the place of the list is an empty list, as on the last page of some servers. */
  acceptsNull?: boolean;
  /** Default: the document itself if it is a list, otherwise the only list among its members, or at any depth. */
  items?: readonly Step[];
  /** A single value outside the items. */
  wanted?: readonly Step[];
}

/** Summary of a document that was read to its end. */
export interface DocumentSummary {
  /** The number of items, accepted or rejected. */
  items: number;
  /** The wanted value. */
  value?: string | number | boolean;
  /** What the page says about itself, in its headers and beside its items. */
  page: PageFacts;
}

/**
 * Streams the items of one JSON document. If the document is cut off or becomes invalid after its list has begun, the records
 * before that place are kept and the read is incomplete.
 * @param onEnd called for a document that was read to its end. Default: reports the facts of a feed of one page
 * @throws CodedError FF_FEED_FORMAT if the text has no JSON, no list, or several lists that could be meant
 */
export async function* readDocument(
  feed: Feed,
  { items, wanted, acceptsNull = false }: DocumentShape,
  context: ReadContext,
  onEnd = ({ items, page }: DocumentSummary) => {
    const fullPage = isFullPage(page, items, feed);
    context.report({ ...factsOf(page, items), fullPage, pagesLine: pagesLine(page, feed) });
  },
): AsyncGenerator<SourceRecord> {
  const finder = createItemFinder(items, feed.location);
  const parser = createDocumentParser(finder, wanted, feed.location);
  let count = 0;
  let length = 0;
  let problem: string | undefined;
  for await (const chunk of feed.text()) {
    problem = problemOf(() => parser.write(chunk));
    length += chunk.length;
    if (!finder.isDeep() || length > MAX_HELD) yield* takeItems();
    if (problem !== undefined) break;
  }
  if (problem === undefined && !parser.end()) problem = 'is cut off: the JSON document is not closed';
  const isNull = acceptsNull && finder.isNull();
  if (problem !== undefined && !finder.hasFound())
    throw new CodedError('FF_FEED_FORMAT', `${feed.location} ${problem}.`);
  finder.checkOnlyOne();
  yield* takeItems();
  const { error } = parser.found.envelope.facts(finder.place());
  if (error !== undefined) context.report({ error });
  if (problem !== undefined) context.incomplete(`${feed.location} ${problem}`);
  else if (!finder.hasFound() && !isNull) throw finder.notFound();
  else {
    const { value, envelope } = parser.found;
    const page = mergeFacts(factsOfHeaders(feed), envelope.facts(finder.place()));
    context.report({ endsItself: true });
    onEnd({ items: count, value, page });
  }

  function* takeItems(): Generator<SourceRecord> {
    for (const { at, value } of parser.found.items.splice(0)) {
      // A list of words deep in a document is not the feed.
      if (count === 0 && finder.isDeep() && !isObject(value)) throw finder.notFound();
      finder.take();
      count += 1;
      const record = itemRecord(at, value, context);
      if (record) yield record;
    }
  }
}

/** @returns the problem if the text is not valid JSON, with the byte of the first wrong character, counted from 0 */
function problemOf(write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    if (error instanceof CodedError || !(error instanceof Error)) throw error;
    // A second document after the first is most likely newline-delimited JSON.
    if (error.message.endsWith('in state ENDED'))
      return 'is not valid JSON: text follows after its end. If each line is a record, set source.lines: true';
    const reason = error.message
      .replace(/ at chunk position "?\d+"? \(absolute position "?(\d+)"?\)/, ' at byte $1')
      .replace(/ in state \w+/, '')
      .replace(/\.$/, '')
      .replace(/\p{Cc}/gu, '?');
    return `is not valid JSON: ${reason.slice(0, 200)}`;
  }
}
