import { createRequire } from 'node:module';
import type sanitizeHtml from 'sanitize-html';
import type { HtmlAllowList } from '../../config/types.ts';
import { elementKind, foreignElements, isContent } from './elements.ts';
import { withBreaks } from './plain-text.ts';
import type { TextMarkup } from './read-markup.ts';
import type { Removed } from './removed.ts';

const require = createRequire(import.meta.url);
let loaded: typeof sanitizeHtml | undefined;

/** Deep nesting takes time that grows with the square of the depth. */
const DEEPEST = 10_000;
/** Elements that end where another one of their kind begins. */
const closesItself = /<(td|th|tr|li|dt|dd|thead|tbody|tfoot)[ >]/;

/**
 * Removes everything that is not on an allow-list, and all addresses other than http(s) and mailto.
 * @throws Error if elements are nested too deeply
 */
export type Sanitizer = (markup: TextMarkup) => { html: string; removed: Removed };

/**
 * Creates a sanitizer. The text of removed elements stays, except in those that have something else than text in them.
 * @param keepsLines whether line breaks of the text become those of HTML
 */
export function createSanitizer({ tags, attributes }: HtmlAllowList, keepsLines = false): Sanitizer {
  const allowed = new Set(tags);
  const reportsLinks = attributes.a?.includes('href') === true;
  const settings: sanitizeHtml.IOptions = {
    allowedTags: tags,
    allowedAttributes: attributes,
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    nonTextTags: foreignElements,
    ...(keepsLines && { textFilter: withBreaks }),
  };

  const isKept = (element: string) => allowed.has(element) && (element !== 'a' || reportsLinks);

  return ({ html, removed: cut, isSimple, elements: given }) => {
    if (isSimple && [...given].every(isKept)) {
      return { html: keepsLines ? withBreaks(html) : html, removed: { elements: [], links: [] } };
    }
    const elements = [...cut];
    const links: Array<{ attributes: sanitizeHtml.Attributes; href: string }> = [];
    let depth = 0;
    /** Depth in an element that is removed with its content. */
    let inside = 0;
    let wasUnwrapped = false;
    const options: sanitizeHtml.IOptions = {
      ...settings,
      onOpenTag(name, given) {
        depth += 1;
        if (depth > DEEPEST) throw new Error(`more than ${DEEPEST.toLocaleString('en')} elements are nested`);
        if (inside > 0) inside += 1;
        else if (!allowed.has(name)) {
          if (elementKind(name) === 'foreign') inside = 1;
          else wasUnwrapped = true;
          if (isContent(name)) elements.push(describeTag(name, given));
        } else if (reportsLinks && name === 'a' && given.href) links.push({ attributes: given, href: given.href });
      },
      onCloseTag() {
        depth -= 1;
        if (inside > 0) inside -= 1;
      },
    };
    // Loaded by the first text that needs it.
    loaded ??= require('sanitize-html') as typeof sanitizeHtml;
    const once = loaded(html, options);
    // Without the element between them, a cell in a cell would be two cells for the next reader.
    const mayDiffer = wasUnwrapped && closesItself.test(once);
    const clean = mayDiffer ? loaded(once, { ...settings, textFilter: undefined }) : once;
    // The sanitizer deletes what it refuses from the attributes of the tag.
    const refused = links.flatMap(({ attributes: left, href }) => (left.href === undefined ? [href] : []));
    return { html: clean, removed: { elements, links: refused } };
  };
}

function describeTag(name: string, { src, href, data, action }: sanitizeHtml.Attributes): string {
  const [attribute, address] = Object.entries({ src, href, data, action }).find(([, value]) => value) ?? [];
  return address === undefined ? `<${name}>` : `<${name} ${attribute}="${address}">`;
}
