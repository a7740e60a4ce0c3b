import sanitizeHtml from 'sanitize-html';
import type { FieldRule, HtmlAllowList } from '../config/types.ts';
import { type AttributeKind, attributeKinds } from '../core/attributes.ts';
import { withTimeLimit } from '../core/time-limit.ts';
import { withCode } from './text.ts';

/** The HTML of feeds that is allowed by default: text structure and links; no scripts, styles, frames or images. */
const usual: HtmlAllowList = {
  tags: [
    ...['p', 'br', 'a', 'strong', 'em', 'b', 'i', 'u', 'ul', 'ol', 'li', 'blockquote'],
    ...['h2', 'h3', 'h4', 'h5', 'h6'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  attributes: { a: ['href'], th: ['colspan', 'rowspan', 'scope'], td: ['colspan', 'rowspan'] },
};

/** Deep nesting takes time that grows with the square of the depth; in shorter texts, this time is milliseconds. */
const LONG = 20_000;
const LONGEST_MS = 1000;

/** Returns what happens to the HTML of an attribute if its rule does not say: a feed may contain scripts. */
export function defaultHtml(kind: AttributeKind): 'sanitize' | undefined {
  return attributeKinds[kind].isHtml ? 'sanitize' : undefined;
}

/**
 * Compiles the treatment of HTML by a rule; undefined if the HTML stays unchanged. Sanitizing removes everything that is not
 * on the allow-list, and all addresses other than http(s) and mailto.
 */
export function compileHtml(html: FieldRule['html']): ((html: string) => string) | undefined {
  if (html === undefined || html === 'keep') return undefined;
  if (html === 'text') return toText;
  const { tags, attributes } = html === 'sanitize' ? usual : html;
  const options: sanitizeHtml.IOptions = {
    allowedTags: tags,
    allowedAttributes: attributes,
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
  };
  // Only elements begin with "<": a text without this character stays unchanged.
  return (text) => (text.includes('<') ? sanitized(text, options).trim() : text);
}

function sanitized(html: string, options: sanitizeHtml.IOptions): string {
  if (html.length < LONG) return sanitizeHtml(html, options);
  return withCode('FF_RECORD_VALUE', 'the HTML cannot be sanitized', () =>
    withTimeLimit(() => sanitizeHtml(html, options), LONGEST_MS),
  );
}

const blockEnd = /<\/(?:p|div|h[1-6]|li|tr|table|ul|ol|blockquote|section|article|header|footer)\s*>|<br\s*\/?>/gi;

/** Converts HTML to plain text: no tags, decoded entities, a line for each block. Text that would start a tag stays escaped. */
function toText(html: string): string {
  const lines = html.replace(/\s+/g, ' ').replace(blockEnd, '$&\n');
  const bare = sanitized(lines, { allowedTags: [], allowedAttributes: {} });
  return decodeEscaped(bare)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .trim();
}

/** Decodes the characters that sanitize-html escapes again. `&amp;` comes last: `&amp;lt;` is the text `&lt;`. */
function decodeEscaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
