import sanitizeHtml from 'sanitize-html';
import type { FieldRule, HtmlAllowList } from '../config/types.ts';

/** What may stay of HTML from a feed: the structure of a text and links; no scripts, styles, frames or images. */
const usual: HtmlAllowList = {
  tags: [
    ...['p', 'br', 'a', 'strong', 'em', 'b', 'i', 'u', 'ul', 'ol', 'li', 'blockquote'],
    ...['h2', 'h3', 'h4', 'h5', 'h6'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  attributes: { a: ['href'], th: ['colspan', 'rowspan', 'scope'], td: ['colspan', 'rowspan'] },
};

/** Compiles what a rule does to HTML; undefined where it is left as it is. */
export function compileHtml(html: FieldRule['html']): ((html: string) => string) | undefined {
  if (html === undefined || html === 'keep') return undefined;
  if (html === 'text') return toText;
  return sanitizer(html === 'sanitize' ? usual : html);
}

/** Removes everything that is not on the allow-list, and every address that is not http(s) or mailto. */
function sanitizer({ tags, attributes }: HtmlAllowList): (html: string) => string {
  const options: sanitizeHtml.IOptions = {
    allowedTags: tags,
    allowedAttributes: attributes,
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
  };
  return (html) => sanitizeHtml(html, options).trim();
}

const blockEnd = /<\/(?:p|div|h[1-6]|li|tr|table|ul|ol|blockquote|section|article|header|footer)\s*>|<br\s*\/?>/gi;

/** HTML as readable plain text: tags gone, entities decoded, blocks on lines of their own. */
function toText(html: string): string {
  const lines = html.replace(/\s+/g, ' ').replace(blockEnd, '$&\n');
  const bare = sanitizeHtml(lines, { allowedTags: [], allowedAttributes: {} });
  return decodeEscaped(bare)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** sanitize-html decodes every entity and escapes these again. `&amp;` comes last: `&amp;lt;` is the text `&lt;`. */
function decodeEscaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
