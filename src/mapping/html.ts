import sanitizeHtml from 'sanitize-html';

/** What may stay of HTML from a feed: the structure of a text and safe links; no scripts, styles, frames or images. */
const allowList: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'a', 'strong', 'em', 'b', 'i', 'u', 'ul', 'ol', 'li', 'blockquote'],
    ...['h2', 'h3', 'h4', 'h5', 'h6'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href'], th: ['colspan', 'rowspan', 'scope'], td: ['colspan', 'rowspan'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
};

/** HTML with everything removed that is not on the allow-list. */
export function sanitize(html: string): string {
  return sanitizeHtml(html, allowList).trim();
}

const blockEnd = /<\/(?:p|div|h[1-6]|li|tr|table|ul|ol|blockquote|section|article|header|footer)\s*>|<br\s*\/?>/gi;

/** HTML as readable plain text: tags gone, entities decoded, blocks on lines of their own. */
export function toText(html: string): string {
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
