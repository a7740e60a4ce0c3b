import type { ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import { isErrorName } from '../../src/core/paging/error-signs.ts';
import { factsOfHeaders } from '../../src/core/paging/header-facts.ts';
import type { Scalar } from '../../src/core/paging/names.ts';
import { mergeFacts } from '../../src/core/paging/page-facts.ts';
import { isObject, type SourceRecord } from '../../src/core/record.ts';
import { createEnvelope, factsOf } from '../json/envelope.ts';
import type { Keys } from '../json/path.ts';
import { type EventDescription, isCancelled, isEventType, isPostponed, isRecord, lacksNewDate } from './event.ts';
import { eventFields } from './event-fields.ts';
import { createGraph, type ParsedDocument } from './graph.ts';
import { parseLeniently } from './lenient-json.ts';
import { mergeDescriptions } from './same-event.ts';
import { jsonLdScripts } from './script-elements.ts';
import { textOf } from './values.ts';
import { createVocabulary, type Node } from './vocabulary.ts';

/** Longest document, in characters. It is held as a whole, because references may lead anywhere in the document. */
const MAX_LENGTH = 50_000_000;

/**
 * Yields the schema.org events of a JSON-LD document, or of the JSON-LD scripts of a web page: each event once, however many
 * objects describe it. Cancelled events are skipped, unless the reader asks for them.
 * @throws CodedError FF_FEED_FORMAT if the text has no JSON or no schema.org event; FF_FEED_TOO_LARGE
 */
export async function* readJsonLd(feed: Feed, context: ReadContext): AsyncGenerator<SourceRecord> {
  const text = await wholeText(feed);
  const isPage = text.trimStart().startsWith('<');
  const { documents, unread } = isPage ? parseScripts(text, feed, context) : parseDocument(text, feed);
  context.report({ endsItself: !isPage || /<\/html\s*>\s*$/i.test(text.slice(-1000)) });
  const vocabulary = createVocabulary(feed.location);
  const { events, resolve } = createGraph(documents, vocabulary);
  const records = mergeDescriptions(events, feed.location).filter(isRecord);
  if (records.length === 0 && !documents.some(({ content }) => isEmptyList(content))) {
    throw new CodedError('FF_FEED_FORMAT', `${feed.location} has no schema.org Event${lack()}.`);
  }
  const [document] = documents;
  if (!isPage && document) {
    const isEvent = (node: Node) => isEventType(vocabulary.typesOf(node));
    reportPage(vocabulary.inPlainNames(document.content, ''), { events: events.length, isEvent }, feed, context);
  }
  for (const event of records) {
    const { at, descriptions, node } = event;
    if (isCancelled(node) && !context.includesWithdrawn) continue;
    const warn = (message: string) => context.warn({ at, message });
    const isUsed = (name: string) => name === 'eventStatus' || context.mappedFields.has(name);
    const onSeveral = (name: string, values: readonly string[]) => {
      if (isUsed(name)) warn(`${name} has ${values.length} values; the first is used: ${JSON.stringify(values[0])}`);
    };
    const written = descriptions[0] && vocabulary.written(descriptions[0].node);
    const record = { at, fields: eventFields(event, written, { resolve, onSeveral }) };
    if (isCancelled(node)) {
      yield { ...record, withdrawn: { as: 'cancelled' } };
      continue;
    }
    for (const message of doubtsOf(event, isUsed)) warn(message);
    const reason = lacksNewDate(node);
    yield reason === undefined ? record : { ...record, problems: [{ reason }] };
  }

  function lack(): string {
    if (unread !== undefined) return ` that can be read: ${unread}`;
    const [, prefixed] = /"@type"\s*:\s*"([\w-]+:\w+)"/.exec(text) ?? [];
    if (prefixed !== undefined) return `: the prefix of its type ${prefixed.slice(0, 60)} is not schema:`;
    return events.length > 0 ? ' with a date: its objects only refer to events, or are series' : '';
  }
}

/** Yields what a person should know about an event that is read. */
function* doubtsOf({ node, differences }: EventDescription, isUsed: (name: string) => boolean): Generator<string> {
  for (const [at, others] of Map.groupBy(differences, ({ at }) => at)) {
    const names = others.map(({ name }) => name).filter(isUsed);
    if (names.length > 0) yield `${at} describes the event with another ${names.join(', ')}, which is not used`;
  }
  if (node.eventSchedule !== undefined) yield 'eventSchedule is not expanded: only startDate is read';
  if (isPostponed(node) && node.startDate !== undefined) {
    const date = JSON.stringify(textOf(node.startDate) ?? '');
    yield `the event is postponed (eventStatus), but still has the date ${date}`;
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

interface Parsed {
  documents: ParsedDocument[];
  /** The first script that cannot be read, and why. */
  unread?: string;
}

function parseDocument(text: string, feed: Feed): Parsed {
  try {
    return { documents: placed(parseLeniently(text), '') };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new CodedError('FF_FEED_FORMAT', `${feed.location} is not valid JSON: ${cause.message}.`, { cause });
  }
}

/**
 * Parses the scripts of a page. A script that is not JSON is rejected alone. Then the read is incomplete, because the events
 * in that script are unknown.
 */
function parseScripts(html: string, feed: Feed, context: ReadContext): Parsed {
  const documents: ParsedDocument[] = [];
  let unread: string | undefined;
  for (const [index, { text, line, complete }] of [...jsonLdScripts(html)].entries()) {
    const at = `script ${index + 1}`;
    try {
      for (const document of placed(parseLeniently(text), `${at}, `)) documents.push(document);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const reason = `is ${complete ? `not valid JSON: ${error.message}` : 'cut off'}`;
      const fields = { script: text.slice(0, 200) };
      context.reject({ at, code: 'FF_RECORD_MALFORMED', reason: `the script at line ${line} ${reason}`, fields });
      context.incomplete(`${at} of ${feed.location} could not be read`);
      unread ??= `${at}, at line ${line}, ${reason}`;
    }
  }
  return { documents, unread };
}

function placed(contents: readonly unknown[], prefix: string): ParsedDocument[] {
  const isOne = contents.length === 1;
  return contents.map((content, index) => ({ prefix: isOne ? prefix : `${prefix}value ${index + 1}, `, content }));
}

/** Reports what a document says about itself beside its events, as a Hydra collection does. Its further pages cannot be read. */
function reportPage(
  document: unknown,
  { events, isEvent }: { events: number; isEvent: (node: Node) => boolean },
  feed: Feed,
  context: ReadContext,
): void {
  const envelope = createEnvelope();
  const lists: number[] = [];
  const note = (value: unknown, keys: Keys): void => {
    if (Array.isArray(value) && !keys.some((key) => isErrorName(key))) lists.push(value.length);
    else if (typeof value !== 'object' || value === null) envelope.add(keys, value as Scalar);
    else if (!isEvent(value as Node)) for (const [name, member] of Object.entries(value)) note(member, [...keys, name]);
  };
  note(document, []);
  const page = mergeFacts(factsOfHeaders(feed), envelope.facts());
  context.report({ ...factsOf(page, Math.max(events, ...lists)), error: page.error });
}

/** Returns true for an empty list, or an object whose list is empty: a feed that has no events today. */
function isEmptyList(content: unknown): boolean {
  const list = isObject(content) ? (content['@graph'] ?? content.itemListElement) : content;
  return Array.isArray(list) && list.length === 0;
}
