import { Parser } from 'htmlparser2';
import type { Feed } from '../../src/core/feed.ts';

/** An element of an item. */
export interface Element {
  /** Without its prefix. */
  name: string;
  prefix: string;
  /** Of its namespace; empty for elements of RSS 2.0. */
  uri: string;
  attributes: Readonly<Record<string, string>>;
  /** Elements and texts, in their order. */
  content: Array<Element | string>;
}

/** What is known of the document besides its items. */
export interface FeedDocument {
  /** The name of the root element. */
  root?: string;
  /** Whether the end of the root element was read. */
  isWhole: boolean;
  /** The address of the next page (RFC 5005). */
  next?: string;
}

const itemName = /^(item|entry)$/;
/** Elements inside so many others are left out. */
const MOST_LEVELS = 30;

/**
 * Streams the items of an RSS or Atom document, with namespaces resolved. Declares no entities and loads nothing. An item that is cut
 * off is left out.
 */
export async function* readItems(feed: Feed, document: FeedDocument): AsyncGenerator<Element> {
  const items: Element[] = [];
  /** The open elements of an item. */
  const open: Element[] = [];
  const scopes: Array<Readonly<Record<string, string>>> = [];
  const parser = new Parser(
    {
      onopentag(written, attributes) {
        document.root ??= written.replace(/^.*:/, '');
        const declared = declaredIn(attributes);
        scopes.push(
          declared.length === 0 ? (scopes.at(-1) ?? {}) : { ...scopes.at(-1), ...Object.fromEntries(declared) },
        );
        const element = resolve(written, attributes, scopes.at(-1) ?? {});
        const parent = open.at(-1);
        if (parent || itemName.test(element.name)) {
          if (open.length < MOST_LEVELS) parent?.content.push(element);
          open.push(element);
        } else if (element.name === 'link' && attributes.rel === 'next' && attributes.href)
          document.next = attributes.href;
      },
      ontext(text) {
        const content = open.at(-1)?.content;
        if (content && typeof content.at(-1) === 'string') content.push(`${content.pop()}${text}`);
        else content?.push(text);
      },
      onclosetag(_, isImplied) {
        scopes.pop();
        const closed = open.pop();
        if (closed && open.length === 0 && !isImplied) items.push(closed);
        if (scopes.length === 0) document.isWhole = !isImplied;
      },
    },
    { xmlMode: true },
  );
  for await (const text of feed.text()) {
    parser.write(text.replaceAll('\0', ''));
    yield* items.splice(0);
  }
  parser.end();
  yield* items;
}

function declaredIn(attributes: Readonly<Record<string, string>>): Array<[prefix: string, uri: string]> {
  const declared = Object.entries(attributes).filter(([name]) => /^xmlns(:|$)/.test(name));
  return declared.map(([name, uri]) => [name.slice('xmlns:'.length), uri.trim()]);
}

function resolve(written: string, attributes: Element['attributes'], scope: Readonly<Record<string, string>>): Element {
  const colon = written.indexOf(':');
  const prefix = colon === -1 ? '' : written.slice(0, colon);
  const uri = Object.hasOwn(scope, prefix) ? (scope[prefix] ?? '') : '';
  return { name: written.slice(colon + 1), prefix, uri, attributes, content: [] };
}

export function childrenOf({ content }: Element): Element[] {
  return content.filter((part) => typeof part !== 'string');
}

/** Returns the text of an element; elements inside, as of XHTML, are written out. */
export function elementText(element: Element): string {
  return element.content
    .map((part) => (typeof part === 'string' ? part : written(part)))
    .join('')
    .trim();
}

function written(element: Element): string {
  const { name, attributes } = element;
  const kept = Object.entries(attributes).filter(([key]) => /^(href|src|alt|title)$/.test(key));
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const inside = element.content.map((part) => (typeof part === 'string' ? escaped(part) : written(part))).join('');
  return `<${name}${kept.map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')}>${inside}</${name}>`;
}
