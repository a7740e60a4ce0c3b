import { decodeHTMLStrict } from 'entities';
import { LinkifyIt } from 'linkify-it';
import { escapeText } from '../../core/html/html-text.ts';

/** What HTML reads otherwise than a person, and what makes an address. */
const special = /[<>&@\r\n]|:\/\//;

let links: LinkifyIt | undefined;

/** Returns whether a text is the same as HTML. */
export function isSameAsHtml(text: string): boolean {
  return !special.test(text);
}

/**
 * Returns plain text as HTML: its addresses are links, its lines end with `<br />`, and texts between empty lines are paragraphs.
 * Character references count, because feeds often have `&amp;` in plain text.
 */
export function htmlOf(text: string): string {
  const plain = decodeHTMLStrict(text).replace(/\r\n?/g, '\n').trim();
  const paragraphs = plain.split(/\n(?:[^\S\n]*\n)+/).map((paragraph) => withBreaks(linked(paragraph)));
  return paragraphs.length === 1
    ? paragraphs.join('')
    : paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
}

/** Makes the line breaks of a text those of HTML. They also stay as they are, so that people can compare long texts by line. */
export function withBreaks(text: string): string {
  return text.replaceAll('\n', '<br />\n');
}

function linked(text: string): string {
  links ??= new LinkifyIt({ urlAuth: true }).add('ftp:', null).add('//', null);
  const parts: string[] = [];
  let at = 0;
  for (const { index, lastIndex, url, raw } of links.match(text) ?? []) {
    if (!/^(https?|mailto):/i.test(url)) continue;
    const href = escapeText(url).replaceAll('"', '&quot;');
    parts.push(escapeText(text.slice(at, index)), `<a href="${href}">${escapeText(raw)}</a>`);
    at = lastIndex;
  }
  return parts.join('') + escapeText(text.slice(at));
}
