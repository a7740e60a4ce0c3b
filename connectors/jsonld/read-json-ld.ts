import type { ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import { isObject, type SourceRecord } from '../../src/core/record.ts';
import { parseExactly } from '../json/exact-numbers.ts';
import { eventFields, eventsIn, isCancelled, type Node, nodesIn, type Resolve } from './events.ts';
import { jsonLdScripts } from './script-elements.ts';

/** Longest document, in characters. It is held as a whole, because references may lead anywhere in the document. */
const MAX_LENGTH = 50_000_000;

/**
 * Yields the schema.org events of a JSON-LD document, or of the JSON-LD scripts of a web page. Cancelled events are skipped.
 * @throws CodedError FF_FEED_FORMAT if the text has no JSON or no schema.org event; FF_FEED_TOO_LARGE
 */
export async function* readJsonLd(feed: Feed, context: ReadContext): AsyncGenerator<SourceRecord> {
  const text = await wholeText(feed);
  const isPage = text.trimStart().startsWith('<');
  const documents = isPage ? parseScripts(text, feed, context) : [{ prefix: '', content: parseDocument(text, feed) }];
  context.report({ endsItself: !isPage || /<\/html\s*>\s*$/i.test(text.slice(-1000)) });
  const events = documents.flatMap(({ prefix, content }) =>
    eventsIn(content).map(({ at, node }) => ({ at: prefix + at, node })),
  );
  if (events.length === 0 && !documents.some(({ content }) => isEmptyList(content))) {
    throw new CodedError('FF_FEED_FORMAT', `${feed.location} has no schema.org Event.`);
  }
  const resolve = resolverOf(documents.map(({ content }) => content));
  const seen = new Set<string>();
  for (const { at, node } of events) {
    const content = JSON.stringify(node);
    // Many pages repeat their events.
    if (seen.has(content) || isCancelled(node)) continue;
    seen.add(content);
    yield { at, fields: eventFields(node, resolve) };
  }
}

async function wholeText(feed: Feed): Promise<string> {
  let text = '';
  for await (const chunk of feed.text()) {
    text += chunk;
    if (text.length > MAX_LENGTH) {
      throw new CodedError('FF_FEED_TOO_LARGE', `${feed.location} has more than ${MAX_LENGTH} characters.`);
    }
  }
  return text;
}

function parseDocument(text: string, feed: Feed): unknown {
  try {
    return parseExactly(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new CodedError('FF_FEED_FORMAT', `${feed.location} is not valid JSON: ${cause.message}.`, { cause });
  }
}

/**
 * Parses the scripts of a page. A script that is not JSON is rejected alone. Then the read is incomplete, because the events
 * in that script are unknown. `prefix` precedes the path of an event in the event's place.
 */
function parseScripts(html: string, feed: Feed, context: ReadContext): Array<{ prefix: string; content: unknown }> {
  return [...jsonLdScripts(html)].flatMap(({ text, complete }, index) => {
    const at = `script ${index + 1}`;
    try {
      return [{ prefix: `${at}, `, content: parseExactly(text) }];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const reason = `the script is ${complete ? `not valid JSON: ${error.message}` : 'cut off'}`;
      context.reject({ at, code: 'FF_RECORD_MALFORMED', reason, fields: { script: text.slice(0, 200) } });
      context.incomplete(`${at} of ${feed.location} could not be read`);
      return [];
    }
  });
}

/** Returns true for an empty list, or an object whose list is empty: a feed that has no events today. */
function isEmptyList(content: unknown): boolean {
  const list = isObject(content) ? (content['@graph'] ?? content.itemListElement) : content;
  return Array.isArray(list) && list.length === 0;
}

function resolverOf(documents: unknown[]): Resolve {
  const byId = new Map<unknown, Node>();
  for (const { node } of nodesIn(documents)) {
    if (!isReference(node) && typeof node['@id'] === 'string') byId.set(node['@id'], node);
  }
  return (value) => (isReference(value) ? (byId.get(value['@id']) ?? value) : value);
}

function isReference(value: unknown): value is { '@id': unknown } {
  return isObject(value) && Object.keys(value).length === 1 && '@id' in value;
}
