import { decodeHTMLStrict } from 'entities';
import type { FieldRule, HtmlAllowList } from '../config/types.ts';
import { type AttributeKind, attributeKinds } from '../core/attributes.ts';
import { readable } from '../core/clean.ts';
import type { Warn } from './coerce.ts';
import { escapeElements } from './html/elements.ts';
import { htmlOf, isSameAsHtml } from './html/plain-text.ts';
import { makesLines, readMarkup, type TextMarkup } from './html/read-markup.ts';
import { describeRemoved } from './html/removed.ts';
import { createSanitizer, type Sanitizer } from './html/sanitize.ts';
import type { Fields } from './path.ts';
import { withCode } from './text.ts';

/** What is known about the HTML of a feed, and who wants to know of it. */
export interface HtmlContext {
  /** Whether the format says that a field is HTML. */
  isHtmlField?: (field: string, fields: Fields) => boolean;
  /** Is called with each text for an attribute that the site shows as HTML. */
  onHtml?: (attribute: string, text: string, isHtml: boolean) => void;
}

/** Changes a text for its attribute. @param isHtml whether the feed says that the text is HTML */
export type HtmlTreatment = (text: string, warn: Warn, isHtml: boolean) => string;

/** The HTML of feeds that is allowed by default: text structure and links; no scripts, styles, frames or images. */
const usual: HtmlAllowList = {
  tags: [
    ...['p', 'br', 'a', 'strong', 'em', 'b', 'i', 'u', 'ul', 'ol', 'li', 'blockquote'],
    ...['h2', 'h3', 'h4', 'h5', 'h6'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  attributes: { a: ['href'], th: ['colspan', 'rowspan', 'scope'], td: ['colspan', 'rowspan'] },
};
const sanitizeUsual = createSanitizer(usual);
const sanitizeLines = createSanitizer(usual, true);
const removeTags = createSanitizer({ tags: [], attributes: {} });

const blockEnd = /<\/(?:p|div|h[1-6]|li|tr|table|ul|ol|blockquote|section|article|header|footer)\s*>|<br\s*\/?>/gi;

/** Compiles the treatment of HTML by a rule; undefined if texts stay as they are. */
export function compileHtml(html: FieldRule['html'], kind: AttributeKind): HtmlTreatment | undefined {
  const way = html ?? attributeKinds[kind].html;
  if (way === 'keep') return undefined;
  if (way === 'auto') return auto;
  if (way === 'text') return (text, warn) => toText(text, kind, warn);
  const sanitize = way === 'sanitize' ? sanitizeUsual : createSanitizer(way);
  return (text, warn) => toHtml(text, sanitize, warn);
}

/** Returns a constant of the sync as HTML. Its elements are those that the operator wants. */
export const constantToHtml: HtmlTreatment = (text, warn, isHtml) =>
  readMarkup(text).elements.size > 0 ? text : auto(text, warn, isHtml);

/** Text without any element is plain, unless the feed says that it is HTML. */
function auto(text: string, warn: Warn, isHtml: boolean): string {
  if (isSameAsHtml(text)) return text;
  if (isHtml) return toHtml(text, sanitizeUsual, warn);
  const markup = readMarkup(text);
  if (markup.elements.size === 0) {
    warnOfEscaped(markup.text, warn);
    return readable(htmlOf(markup.text));
  }
  // Calendars have line breaks beside links and bold text.
  const html = makesLines(markup)
    ? sanitized(markup, sanitizeUsual, warn)
    : sanitized({ ...markup, html: markup.html.trim() }, sanitizeLines, warn);
  return html.includes('<') ? html : readable(htmlOf(html.replace(/\s+/g, ' ')));
}

/** Warns of elements that visitors see as text. */
function warnOfEscaped(text: string, warn: Warn): void {
  const plain = decodeHTMLStrict(text);
  if (plain === text) return;
  const [element] = readMarkup(plain).elements;
  if (element) warn(`shows escaped HTML as text, such as &lt;${element}&gt;; the source may escape it twice`);
}

/** Only elements begin with "<": HTML without this character stays unchanged. */
function toHtml(text: string, sanitize: Sanitizer, warn: Warn): string {
  return text.includes('<') ? sanitized(readMarkup(text), sanitize, warn) : text;
}

function sanitized(markup: TextMarkup, sanitize: Sanitizer, warn: Warn): string {
  const { html, removed } = withCode('FF_RECORD_VALUE', 'the HTML cannot be sanitized', () => sanitize(markup));
  for (const message of describeRemoved(removed)) warn(message);
  return readable(html.trim());
}

/**
 * Converts a text to plain text. Of HTML, the tags are removed, and each block becomes a line. In other texts, only character
 * references change. A "<" that would begin a tag where the site shows the text stays escaped.
 */
function toText(text: string, kind: AttributeKind, warn: Warn): string {
  if (!/[<&]/.test(text)) return text;
  const escapeTags = kind === 'html' ? escapeAnyTag : escapeElements;
  const markup = readMarkup(text);
  if (markup.elements.size === 0) {
    const plain = decodeHTMLStrict(markup.text);
    warnOfEscaped(markup.text, warn);
    return plain === markup.text && kind !== 'html' ? plain : readable(escapeTags(plain));
  }
  const lines = markup.html.replace(/\s+/g, ' ').replace(blockEnd, '$&\n');
  const bare = sanitized({ ...markup, html: lines }, removeTags, warn);
  const plain = decodeEscaped(bare)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return readable(escapeTags(plain));
}

function escapeAnyTag(text: string): string {
  return text.replace(/<(?=[a-z/!?])/gi, '&lt;');
}

/** Decodes the characters that sanitize-html escapes again. `&amp;` comes last: `&amp;lt;` is the text `&lt;`. */
function decodeEscaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
