import sanitizeHtml from 'sanitize-html';
import type { HtmlAllowList } from '../../config/types.ts';
import { withTimeLimit } from '../../core/time-limit.ts';
import { elementKind, foreignElements, isContent } from './elements.ts';
import type { Markup } from './read-markup.ts';
import type { Removed } from './removed.ts';

/** Deep nesting takes time that grows with the square of the depth; in shorter texts, this time is milliseconds. */
const LONG = 20_000;
const LONGEST_MS = 1000;

/** Settings of a sanitizer. `keepsLines`: whether line breaks of the text become those of HTML. */
export type SanitizeSettings = HtmlAllowList & { keepsLines?: boolean };

/**
 * Removes everything that is not on an allow-list, and all addresses other than http(s) and mailto. The text of removed elements
 * stays, except in those that have something else than text in them.
 * @throws Error if that takes too long
 */
export function sanitize(
  { html, removed: cut }: Markup,
  settings: SanitizeSettings,
): { html: string; removed: Removed } {
  const { tags, attributes, keepsLines } = settings;
  const removed: Removed = { elements: [...cut], links: [] };
  const links: Array<{ attributes: sanitizeHtml.Attributes; href: string }> = [];
  const allowed = new Set(tags);
  /** Depth in an element that is removed with its content. */
  let inside = 0;
  const options: sanitizeHtml.IOptions = {
    allowedTags: tags,
    allowedAttributes: attributes,
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    nonTextTags: foreignElements,
    ...(keepsLines && { textFilter: (text) => text.replaceAll('\n', '<br />') }),
    onOpenTag(name, given) {
      if (inside > 0) {
        inside += 1;
        return;
      }
      const isRemoved = !allowed.has(name);
      if (isRemoved && elementKind(name) === 'foreign') inside = 1;
      if (isRemoved && isContent(name)) removed.elements.push(describeTag(name, given));
      if (name === 'a' && given.href && attributes.a?.includes('href'))
        links.push({ attributes: given, href: given.href });
    },
    onCloseTag() {
      if (inside > 0) inside -= 1;
    },
  };
  const clean =
    html.length < LONG ? sanitizeHtml(html, options) : withTimeLimit(() => sanitizeHtml(html, options), LONGEST_MS);
  // The sanitizer deletes what it refuses from the attributes of the tag.
  for (const link of links) if (link.attributes.href === undefined) removed.links.push(link.href);
  return { html: clean, removed };
}

function describeTag(name: string, { src, href, data, action }: sanitizeHtml.Attributes): string {
  const [attribute, address] = Object.entries({ src, href, data, action }).find(([, value]) => value) ?? [];
  return address === undefined ? `<${name}>` : `<${name} ${attribute}="${address}">`;
}
