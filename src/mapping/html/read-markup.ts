import { elementKind, escapeStrays, isContent, isVoid } from './elements.ts';
import { readTags, type StartTag, type Tags } from './read-tags.ts';

/** A tag of HTML in the form in which the sanitizer writes it, or a character that it writes differently. */
const sign =
  /<(?:(\/?)(a|b|blockquote|em|h[2-6]|i|li|ol|p|strong|u|ul)>|(a) href="https?:\/\/[\w./?=#%+,:~-]*">|(br) \/>|)|>|&(?!(?:amp|lt|gt);)/g;

/** The number of elements in each other. */
const DEEPEST = 20;

const inline = new Set(['a', 'b', 'br', 'em', 'i', 'strong', 'u']);

/** What a text has of HTML. */
export interface TextMarkup {
  /** The text without the marks of documents around it: CDATA, doctype, conditions of Word. */
  text: string;
  /** The text as HTML: each "<" that begins no element is escaped. */
  html: string;
  /** Names of the elements; `!--` for comments. If there are none, the text is plain. */
  elements: ReadonlySet<string>;
  /** Elements that were taken out here, because they have no end. */
  removed: readonly string[];
  /** Whether a sanitizer that allows the elements, and the addresses of links, returns the HTML unchanged. */
  isSimple?: boolean;
}

/** A change of a text: `start` to `end` become `text`. `removes`: the element that it takes out. */
interface Edit {
  start: number;
  end: number;
  text: string;
  removes?: StartTag;
}

/** Each reading finds a broken tag; a text with more of these is no HTML. */
const MOST_READINGS = 8;

/**
 * Finds the elements of HTML in a text. Text stays: a tag with a name that HTML does not know, or without its ">", and the tag
 * of an inline element without end tag and without values, as in `a<b and c>d`, or with words as in `<Table 5>`.
 */
export function readMarkup(given: string): TextMarkup {
  const simple = elementsOfSimpleHtml(given);
  if (simple) return { text: given, html: given, elements: simple, removed: [], isSimple: true };
  return readThoroughly(given);
}

/** Reads any text as `readMarkup` does. */
export function readThoroughly(given: string): TextMarkup {
  const { text: bare, cut: lost } = withoutConditions(given);
  const text = withoutDeclarations(bare);
  const removed = [...lost];
  const cut = new Set<string>();
  let html = text;
  for (let readings = 0; readings < MOST_READINGS && html.includes('<'); readings += 1) {
    const tags = readTags(html);
    if (readings === 0 && mayHaveStrays(html, tags)) {
      html = escapeStrays(html);
      continue;
    }
    const { starts, names, broken } = tags;
    const edits = [...broken.map(escaped), ...starts.flatMap((tag) => editOf(tag, html.length) ?? [])];
    if (edits.length === 0)
      return { text, html, elements: cut.size === 0 ? names : new Set([...names, ...cut]), removed };
    for (const { removes: tag, end } of edits) {
      if (!tag) continue;
      cut.add(tag.name);
      removed.push(...describeCut(html, tag, end));
    }
    html = applied(html, edits);
  }
  return { text, html: html.replaceAll('<', '&lt;'), elements: cut, removed };
}

/** Returns whether a "<" may begin no element. Escaping these takes time, and most HTML has none. */
function mayHaveStrays(html: string, { complete, names }: Tags): boolean {
  let signs = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) signs += 1;
  return signs !== complete || [...names].some((name) => name !== '!--' && elementKind(name) === undefined);
}

/** Returns whether any element takes lines of its own, so that the line breaks of the text mean nothing. */
export function makesLines({ elements }: TextMarkup): boolean {
  return [...elements].some((name) => /^(block|section)$/.test(elementKind(name) ?? ''));
}

/** Not `<!--[if !mso]><!-->` and `<!--[if !IE]> -->`: browsers show what follows these. */
const condition = /<!--\s{0,9}\[if[^\]<>]{0,200}\]>(?!\s{0,9}(?:<!)?-->)/i;
const anyCondition = /(?=<!--\s{0,9}\[if)/i;
const conditionEnds = [/<!\[endif\]\s{0,9}-->/i, /<!\[endif\]>/i, /-->/];

/**
 * Removes what only Office and old browsers read: `<!--[if gte mso 9]>…<![endif]-->`, also with comments inside. Without an end, it
 * reaches to the next one, or to the end of the text, as in a browser.
 * @returns `cut`: those without an end, if text follows
 */
function withoutConditions(text: string): { text: string; cut: string[] } {
  const cut: string[] = [];
  let kept = '';
  let rest = text;
  for (let start = condition.exec(rest); start !== null; start = condition.exec(rest)) {
    const inside = rest.slice(start.index + start[0].length);
    const [part = ''] = inside.split(anyCondition, 1);
    const end = conditionEnds.map((pattern) => pattern.exec(part)).find((found) => found !== null);
    if (!end && part.replace(/<[^<>]*>/g, '').trim() !== '') cut.push(`${start[0]} and the text after it`);
    kept += rest.slice(0, start.index);
    rest = inside.slice(end ? end.index + end[0].length : part.length);
  }
  return { text: kept + rest, cut };
}

/** Removes what belongs to a document and not to its text. `<![CDATA[` is left over from XML. */
function withoutDeclarations(text: string): string {
  if (!text.includes('<!') && !text.includes('<?')) return text;
  const shown = text.replace(/<!--\s{0,9}<!\[endif\]-->/gi, '');
  return shown.replace(/<!doctype[^<>]*>|<\?xml[^<>]*>|<!\[(?:if|endif)[^<>]*>|<!\[CDATA\[|\]\]>/gi, '');
}

/**
 * Returns what happens to a start tag that a sanitizer would read otherwise than its author. Without an end tag, the elements
 * that are removed with their content would take all text after them along.
 */
function editOf(tag: StartTag, length: number): Edit | undefined {
  const { name, start, end, isBare, hasWords, isSelfClosing, isClosed } = tag;
  const kind = elementKind(name);
  if (isClosed || (kind === 'block' && !hasWords)) return undefined;
  if (isSelfClosing) return isVoid(name) ? undefined : { start, end, text: '', removes: tag };
  if (isBare && (name === 'script' || name === 'style')) return { start, end: length, text: '', removes: tag };
  if (isBare && (name !== 'head' || hasWords)) return escaped(start);
  return kind === 'foreign' ? { start, end, text: '', removes: tag } : undefined;
}

function escaped(start: number): Edit {
  return { start, end: start + 1, text: '&lt;' };
}

/** Describes an element that is taken out, if it has content, or takes text along. */
function describeCut(html: string, tag: StartTag, end: number): string[] {
  const hasText = end > tag.end && html.slice(tag.end, end).trim() !== '';
  if (!hasText && (elementKind(tag.name) !== 'foreign' || !isContent(tag.name))) return [];
  return [html.slice(tag.start, tag.end) + (hasText ? ' and the text after it' : '')];
}

function applied(html: string, edits: Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    if (start < at) continue;
    parts.push(html.slice(at, start), text);
    at = end;
  }
  return parts.join('') + html.slice(at);
}

/**
 * Returns the names of the elements of HTML that is certainly well-formed, and that a sanitizer which allows these elements returns
 * unchanged: usual elements, nested as in a text, without other attributes than addresses of the web. Undefined: the text has
 * to be read thoroughly.
 */
export function elementsOfSimpleHtml(html: string): ReadonlySet<string> | undefined {
  const elements = new Set<string>();
  const open: string[] = [];
  for (const [, slash, tag, link, lineBreak] of html.matchAll(sign)) {
    const name = tag ?? link ?? lineBreak;
    if (name === undefined) return undefined;
    elements.add(name);
    if (slash === '/') {
      if (open.pop() !== name) return undefined;
    } else {
      if (!fits(name, open)) return undefined;
      if (name !== 'br') open.push(name);
    }
  }
  return open.length === 0 ? elements : undefined;
}

/** Whether an element ends no element around it by its start. */
function fits(name: string, open: readonly string[]): boolean {
  if (open.length >= DEEPEST) return false;
  if (inline.has(name)) return name !== 'a' || !open.includes('a');
  const parent = open.at(-1);
  if (name === 'li') return parent === 'ul' || parent === 'ol';
  return parent === undefined || parent === 'li' || parent === 'blockquote';
}
