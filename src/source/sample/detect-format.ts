import { isObject } from '../../core/record.ts';
import type { Answers } from '../../inference/proposal.ts';
import { csvFormat } from './csv-format.ts';
import { isJsonFeed, isSchemaOrg, parseJsonBeginning } from './json-document.ts';
import { findList } from './json-lists.ts';
import type { SampleFormat } from './sample-format.ts';
import { textFormatOf } from './text-format.ts';

/** Number of pages that show whether and how a feed has pages. */
export const SAMPLE_PAGES = 3;

/**
 * Detects the connector of a text and its options.
 * @throws CodedError FF_FEED_FORMAT if no connector reads the text
 */
export async function detectFormat(text: string, location: string, answers: Answers): Promise<SampleFormat> {
  switch (textFormatOf(text, location)) {
    case 'calendar':
      return {
        connector: 'ical',
        options: {},
        evidence: { connector: 'BEGIN:VCALENDAR' },
        timezone: calendarZone(text),
      };
    case 'web page':
      return { connector: 'jsonld', options: {}, evidence: { connector: 'a web page' } };
    case 'rss':
      return { connector: 'rss', options: {}, evidence: { connector: 'its root element' } };
    case 'json lines':
      return { connector: 'json', options: { lines: true }, evidence: { lines: 'each line is a JSON object' } };
    case 'json':
      return jsonFormat(parseJsonBeginning(text), answers);
    case 'table':
      return csvFormat(text, location);
  }
}

function jsonFormat(document: unknown, answers: Answers): SampleFormat {
  if (isJsonFeed(document)) {
    const reading = { maxPages: SAMPLE_PAGES };
    return { connector: 'jsonfeed', options: {}, reading, evidence: { connector: 'its version is that of JSON Feed' } };
  }
  if (isSchemaOrg(document)) {
    return { connector: 'jsonld', options: {}, evidence: { connector: 'its @context is schema.org' } };
  }
  const { items, evidence, question } = findList(document, answers);
  return {
    connector: 'json',
    options: items === undefined ? {} : { items },
    evidence: { ...(evidence && { items: evidence }) },
    timezone: documentZone(document),
    ...(question && { open: [question] }),
  };
}

/** The zone of floating times: X-WR-TIMEZONE. */
function calendarZone(text: string): string | undefined {
  return /^X-WR-TIMEZONE(?:;[^:\r\n\u2028\u2029]*)?:[ \t]*(\S+)/im.exec(text.slice(0, 100_000))?.[1];
}

/** The zone in a member of the document beside its list, such as Google Calendar's `timeZone`. */
function documentZone(document: unknown): string | undefined {
  if (!isObject(document)) return undefined;
  const [, zone] = Object.entries(document).find(([name]) => /^(time_?zone|tz)$/i.test(name)) ?? [];
  return typeof zone === 'string' ? zone : undefined;
}
