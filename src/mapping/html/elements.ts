/** What becomes of an element that the allow-list does not have. */
type ElementKind = 'block' | 'section' | 'inline' | 'content' | 'foreign';

/** The elements of HTML, also of old HTML. A tag with any other name is text. */
const names: Record<ElementKind, string> = {
  /** Take lines of their own, and need no end tag. */
  block: `html body p div br hr wbr ul ol li dl dt dd h1 h2 h3 h4 h5 h6 blockquote pre
    table caption colgroup thead tbody tfoot tr th td`,
  /** Take lines of their own. Their names are words, so that without an end tag they are text. */
  section: `article section header footer main nav aside address center figure figcaption fieldset legend details
    summary hgroup search menu dir`,
  /** Only their tags are removed. */
  inline: `a abbr acronym b basefont bdi bdo big blink cite code data datalist del dfn em font i ins kbd label map mark
    marquee meter nobr output picture progress q rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var
    area base col link meta param source track noscript optgroup slot`,
  /** Show or ask for something. A warning names those that are removed; the text in them stays. */
  content: 'img image input button form embed frame keygen bgsound dialog',
  /** Have something else in them than text. They are removed with all that is in them. `xml` is what Word adds. */
  foreign: `script style head title xml iframe object applet svg math template noembed noframes frameset textarea select option xmp
    audio video canvas`,
};

const kinds = new Map(
  Object.entries(names).flatMap(([kind, list]) =>
    list.split(/\s+/).map((name) => [name, kind as ElementKind] as const),
  ),
);

/** Elements without end tags. */
const voids = new Set(
  `area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr`.split(
    /\s+/,
  ),
);

/** Elements that no visitor sees. */
const invisible = new Set(['head', 'style', 'xml']);

/** Custom elements, and the elements of Word and of other namespaces: `o:p`. */
const namespaced = /^[a-z][a-z\d]*[-:][a-z][a-z\d-]*$/;

/** Returns the kind of an element by its name in lower case; undefined if HTML has no such element. */
export function elementKind(name: string): ElementKind | undefined {
  return kinds.get(name) ?? (namespaced.test(name) ? 'inline' : undefined);
}

export const isVoid = (name: string) => voids.has(name);

/** Returns whether an element is content, so that its removal is reported. */
export function isContent(name: string): boolean {
  const kind = elementKind(name);
  return kind === 'content' || (kind === 'foreign' && !invisible.has(name));
}

/** Elements that are removed with their content. */
export const foreignElements = [...kinds].flatMap(([name, kind]) => (kind === 'foreign' ? [name] : []));

/** A "<", with what makes it the beginning of a tag or comment. The name is followed by what ends names in HTML. */
const beginning = /<(?:\/?([a-z][a-z\d:-]*)(?=[\t\n\f\r />])|!--)?/gi;

/** Escapes each "<" that begins no element of HTML: `<https://…>`, `<- back`. */
export function escapeStrays(text: string): string {
  return text.replace(beginning, (match, name?: string) => (beginsElement(match, name) ? match : escaped(match)));
}

/** Escapes each "<" that begins an element of HTML. */
export function escapeElements(text: string): string {
  return text.replace(beginning, (match, name?: string) => (beginsElement(match, name) ? escaped(match) : match));
}

function escaped(match: string): string {
  return `&lt;${match.slice(1)}`;
}

function beginsElement(match: string, name: string | undefined): boolean {
  return name === undefined ? match === '<!--' : elementKind(name.toLowerCase()) !== undefined;
}
