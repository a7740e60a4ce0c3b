import { childrenOf, type Element, elementText } from './items.ts';

/** Extensions whose elements have a meaning, by their namespaces, and the names of their fields. */
const known: ReadonlyArray<[uri: RegExp, name: string]> = [
  [/^urn:ietf:params:xml:ns:xcal$|^http:\/\/www\.w3\.org\/2002\/12\/cal\/(ical|icaltzd)#$/i, 'xcal'],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/event\/?$/i, 'ev'],
  [/^https?:\/\/(www\.)?livewhale\.com\b/i, 'livewhale'],
  [/^https?:\/\/webnus\.net\/rss\/mec\/?$/i, 'mec'],
  // CivicPlus: the address of the calendar of each site.
  [/\/calendar\.aspx$/i, 'calendarEvent'],
  [/^http:\/\/purl\.org\/dc\/(elements\/1\.1|terms)\/$/i, 'dc'],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/content\/$/i, 'content'],
  [/^http:\/\/search\.yahoo\.com\/mrss\/?$/i, 'media'],
  [/^http:\/\/www\.georss\.org\/georss\/?$/i, 'georss'],
];
/** Namespaces of RSS and Atom themselves. */
const ownSpace =
  /^$|^http:\/\/(purl\.org\/rss\/1\.0\/|my\.netscape\.com\/.*|backend\.userland\.com\/rss2?|www\.w3\.org\/2005\/Atom|purl\.org\/atom\/ns#)$/i;

/** A value of an extension: a text, what is inside an element, or a list if an element is repeated. */
type Value = string | Value[] | { [name: string]: Value };
export type Extensions = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/** The name of an extension whose elements have a meaning. */
export function extensionOf({ uri }: Element): string | undefined {
  return known.find(([pattern]) => pattern.test(uri))?.[1];
}

export function isOwn({ prefix, uri }: Element): boolean {
  return ownSpace.test(uri) && (prefix === '' || uri !== '');
}

/** Reads the elements of extensions, by the names of these; those that are not known have the prefix of the document. */
export function extensionsOf(children: readonly Element[]): Extensions {
  const extensions: Record<string, Record<string, Value>> = Object.create(null);
  for (const child of children.filter((one) => !isOwn(one))) {
    const name = extensionOf(child) ?? (child.prefix || 'other');
    extensions[name] ??= Object.create(null) as Record<string, Value>;
    addTo(extensions[name], child);
  }
  return JSON.parse(JSON.stringify(extensions));
}

function addTo(values: Record<string, Value>, element: Element): void {
  const value = elementValue(element);
  const before = values[element.name];
  values[element.name] = before === undefined ? value : [before, value].flat();
}

function elementValue(element: Element): Value {
  const children = childrenOf(element);
  const text = elementText(element);
  if (children.length === 0) return text || (element.attributes.url ?? element.attributes.href ?? '');
  const values: Record<string, Value> = Object.create(null);
  for (const child of children) addTo(values, child);
  return values;
}

/** Returns the text at a path, the first of several; undefined: it has none. */
export function textAt(extensions: Extensions, path: string): string | undefined {
  const [name = '', element = ''] = path.split('.');
  const value = [extensions[name]?.[element]].flat()[0];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
