import { decodeHTML, decodeHTMLStrict } from 'entities';

/** Returns whether a text has elements or character references of HTML. */
export function isHtml(text: string): boolean {
  return /<\/?[a-z][^<>]*>|&(?:#\w{1,8}|[a-z]{2,8});/i.test(text);
}

/** Returns a text as HTML that shows it. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns a text as it is compared, without what a CMS is known to change: elements, character references, blanks, forms of letters. */
export function plainText(text: string): string {
  const shown = /[<&]/.test(text) ? decodeHTMLStrict(text.replace(/<[/!]?[a-z-][^<>]*>/gi, ' ')) : text;
  return shown.normalize('NFKC').replace(/\s+/g, ' ').trim();
}

/** Returns the text that a browser shows for HTML: without elements, and with its lines. */
export function htmlText(html: string): string {
  const lines = html
    .replace(/\s+/g, ' ')
    .replace(/<(?:br|hr)\b[^<>]*> ?/gi, '\n')
    .replace(/<li\b[^<>]*>/gi, '\n• ')
    .replace(/<\/(?:p|div|h[1-6]|ul|ol|table|tr|blockquote)> ?/gi, '\n')
    .replace(/<[a-z/!][^<>]*>/gi, '');
  return decodeHTML(lines)
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
