import { z } from 'zod';
import { defineConnector, type ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { parseExactly } from '../json/exact-numbers.ts';
import { eventFields, isCancelled, type Resolve } from './event-fields.ts';
import { type EventNode, eventsIn, isNode, type Node, nodesIn } from './nodes.ts';
import { jsonLdScripts } from './script-elements.ts';

/** References may lead anywhere in a document, so it is held as a whole; in characters. */
const MAX_LENGTH = 50_000_000;

const options = z.strictObject({});

/**
 * Reads the schema.org events of a JSON-LD document, or of the JSON-LD scripts of a web page. Cancelled ones are left out.
 * @throws CodedError FF_FEED_FORMAT where there is no JSON, or nothing of schema.org's events in it; FF_FEED_TOO_LARGE.
 */
export const jsonld = defineConnector<z.infer<typeof options>>({
  kind: 'jsonld',
  options,
  acceptsHtml: true,
  defaultMap: { title: 'name', description: 'description', start: 'startDate', end: 'endDate' },
  read,
});

async function* read(feed: Feed, _: z.infer<typeof options>, context: ReadContext): AsyncGenerator<SourceRecord> {
  const text = await wholeText(feed);
  const documents = text.trimStart().startsWith('<') ? scriptsOf(text, feed, context) : [parseDocument(text, feed)];
  const events = documents.flatMap(({ place, content }) =>
    eventsIn(content).map(({ at, node }): EventNode => ({ at: place + at, node })),
  );
  if (events.length === 0 && !documents.some(({ content }) => isEmptyList(content))) {
    throw new CodedError('FF_FEED_FORMAT', `${feed.location} has no schema.org Event in it.`);
  }
  const resolve = resolverOf(documents.map(({ content }) => content));
  const seen = new Set<string>();
  for (const { at, node } of events) {
    const content = JSON.stringify(node);
    // Pages like to say everything twice.
    if (seen.has(content) || isCancelled(node)) continue;
    seen.add(content);
    yield { at, fields: eventFields(node, resolve) };
  }
}

interface Document {
  /** What goes before the place of an event in it. */
  place: string;
  content: unknown;
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

function parseDocument(text: string, feed: Feed): Document {
  try {
    return { place: '', content: parseExactly(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = `${feed.location} is not valid JSON: ${error.message}.`;
    throw new CodedError('FF_FEED_FORMAT', message, { cause: error });
  }
}

/** A script that is not JSON is rejected by itself; nobody knows which events it held. */
function scriptsOf(html: string, feed: Feed, context: ReadContext): Document[] {
  return [...jsonLdScripts(html)].flatMap(({ text, complete }, index) => {
    const at = `script ${index + 1}`;
    try {
      return [{ place: `${at}, `, content: parseExactly(text) }];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const reason = `the script is ${complete ? `not valid JSON: ${error.message}` : 'cut off'}`;
      context.reject({ at, code: 'FF_RECORD_MALFORMED', reason, fields: { script: text.slice(0, 200) } });
      context.incomplete(`${at} of ${feed.location} could not be read`);
      return [];
    }
  });
}

/** A document that says of itself that it lists things, and lists none. */
function isEmptyList(content: unknown): boolean {
  const list = isNode(content) ? (content['@graph'] ?? content.itemListElement) : content;
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
  return isNode(value) && Object.keys(value).length === 1 && '@id' in value;
}
