import type { ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import { isObject, type SourceRecord } from '../../src/core/record.ts';
import { fieldsOf } from './item-fields.ts';
import { type FeedDocument, readItems } from './items.ts';
import { readMoment } from './moments.ts';
import { titleDates } from './title-dates.ts';

const OTHERS = 'Look for an iCal (.ics), JSON or CSV address of the same events, often named "Subscribe" or "Export".';

/**
 * Reads the items of an RSS or Atom document.
 * @throws CodedError FF_FEED_FORMAT if it is another document, or if its items say only when they were published
 */
export async function* readRss(feed: Feed, context: ReadContext): AsyncGenerator<SourceRecord> {
  const document: FeedDocument = { isWhole: false };
  const records: SourceRecord[] = [];
  // Whether a feed has the days of its events shows at its end.
  for await (const item of readItems(feed, document))
    records.push({ at: `item ${records.length + 1}`, fields: fieldsOf(item) });
  if (!/^(rss|RDF|feed)$/.test(document.root ?? '')) {
    const problem =
      document.root === undefined ? 'is not XML' : `is XML with the root element ${document.root.slice(0, 100)}`;
    throw new CodedError('FF_FEED_FORMAT', `${feed.location} ${problem}, not RSS or Atom.`, { remedy: OTHERS });
  }
  if (!document.isWhole) context.incomplete(`the document ends before </${document.root}>`);
  context.report({
    endsItself: true,
    items: records.length,
    ...(document.next && { more: `a link to a next page: ${document.next}` }),
  });
  titleDates(records);
  if (records.length > 0 && !context.mappedFields.has('published') && !records.some(({ fields }) => hasDay(fields)))
    throw noDays(feed);
  yield* records;
}

/** Whether an item has a start, or a date in an extension that may be one. */
function hasDay({ start, ...fields }: SourceRecord['fields']): boolean {
  if (start !== undefined) return true;
  const extensions = Object.entries(fields).filter(([name, value]) => name !== 'dc' && isObject(value));
  return extensions.some(([, values]) =>
    Object.values(values as object).some((value) => readMoment(String(value)) !== undefined),
  );
}

function noDays({ location }: Feed): CodedError {
  const message = `${location} does not say when its events are: its items have only the date of their publication (pubDate, updated), which is not the day of an event.`;
  const remedy = `${OTHERS} If this feed writes the start of an event there, map it: \`start: published\`.`;
  return new CodedError('FF_FEED_FORMAT', message, { remedy });
}
