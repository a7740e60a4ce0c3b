import { CodedError } from '../../core/errors.ts';
import { isObject, parseJson } from '../../core/record.ts';

/** A kind of text that a connector may read. */
export type TextFormat = 'calendar' | 'web page' | 'rss' | 'json' | 'json lines' | 'table';

/** Texts that no connector reads, and the remedies. */
const refused: ReadonlyArray<[start: RegExp, is: string, remedy: string]> = [
  [/^BEGIN:VCARD\b/i, 'a vCard file', 'Export the contacts as CSV.'],
  [/^(version: 1\s+)?dn::? /i, 'an LDIF file', 'Export the directory as CSV or JSON.'],
  [/^\{\\rtf/, 'an RTF document', 'Save the table as CSV.'],
  [
    /^</,
    'XML',
    'Look for an iCal (.ics), JSON or CSV address of the same content, often among the links "Subscribe" or "Export".',
  ],
];

/**
 * Detects what kind of text a feed is.
 * @throws CodedError FF_FEED_FORMAT for a text that no connector reads
 */
export function textFormatOf(text: string, location: string): TextFormat {
  const start = text.slice(0, 4000).trimStart();
  if (/^BEGIN:VCALENDAR\b/i.test(start)) return 'calendar';
  if (isWebPage(start)) return 'web page';
  if (/^<(?:\?xml|!--|rss|rdf|feed)/i.test(start) && /<(?:rss|feed|(?:\w+:)?RDF)[\s>]/.test(start)) return 'rss';
  const refusal = refused.find(([pattern]) => pattern.test(start));
  if (refusal) {
    const [, is, remedy] = refusal;
    throw new CodedError('FF_FEED_FORMAT', `${location} is ${is}, which feedferry does not read.`, { remedy });
  }
  if (controls(start) > 5) {
    const remedy =
      'Save a spreadsheet as CSV. feedferry reads CSV, iCal, JSON, RSS and web pages with schema.org events.';
    throw new CodedError('FF_FEED_FORMAT', `${location} is not a text.`, { remedy });
  }
  if (!/^[[{]/.test(start)) return 'table';
  return hasObjectsInLines(text) ? 'json lines' : 'json';
}

/** Returns whether a text is HTML. Calendars and JSON may have HTML in their texts. */
export function isWebPage(text: string): boolean {
  const start = text.slice(0, 4000).trimStart();
  if (/^<(!doctype\s+html|html|head|body|script)/i.test(start)) return true;
  const [, root = ''] = /<(html|rss|feed|(?:\w+:)?rdf)[\s>]/i.exec(start) ?? [];
  return start.startsWith('<') && (root === '' ? start.startsWith('<!--') : /^html$/i.test(root));
}

function controls(text: string): number {
  return text.match(/[^\P{Cc}\t\r\n\f]/gu)?.length ?? 0;
}

/** Whether the first two lines are JSON objects. */
function hasObjectsInLines(text: string): boolean {
  const lines = text.matchAll(/^.*\S.*$/gm);
  const [first, second] = [lines.next().value?.[0], lines.next().value?.[0]];
  return [first, second].every((line = '') => isObject(parseJson(line)));
}
