import { sha256 } from '../../src/core/hash.ts';
import { isObject } from '../json/item-record.ts';
import type { Node } from './nodes.ts';

/** Resolves a reference such as `{ "@id": "#hall" }` to the object that it names. Other values are returned as they are. */
export type Resolve = (value: unknown) => unknown;

/**
 * Reads the fields of an event: its own properties, with the common ones in one form. `id` is its `@id`, identifier or URL,
 * otherwise a hash of its content; `name`, `description`, `startDate`, `endDate` and `url` are text; `image` is a list of
 * URLs; references to a location or organizer of the same document are resolved.
 */
export function eventFields(node: Node, resolve: Resolve): Record<string, unknown> {
  const texts = ['name', 'description', 'startDate', 'endDate', 'url'].map(
    (name) => [name, textOf(node[name])] as const,
  );
  const resolved = ['location', 'organizer'].map((name) => [name, resolveAll(node[name], resolve)] as const);
  const known = Object.fromEntries([...texts, ...resolved].filter(([, value]) => value !== undefined));
  const images = imagesOf(node.image, resolve);
  return { ...node, ...known, ...(images.length > 0 ? { image: images } : {}), id: idOf(node) };
}

/** Returns true if the event is cancelled (schema.org: eventStatus). */
export function isCancelled({ eventStatus }: Node): boolean {
  const status = isObject(eventStatus) ? (textOf(eventStatus) ?? textOf(eventStatus['@id'])) : textOf(eventStatus);
  return /EventCancelled$/.test(status ?? '');
}

function idOf(node: Node): string {
  const { identifier } = node;
  const id = textOf(node['@id']) ?? textOf(isObject(identifier) ? identifier.value : identifier) ?? textOf(node.url);
  return id ?? sha256(JSON.stringify([textOf(node.name), textOf(node.startDate), textOf(node.location)])).slice(0, 32);
}

/** Returns text, a number, a typed or tagged literal (`{ "@value": … }`), or the first of several of these. */
function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return textOf(value[0]);
  if (isObject(value)) return textOf(value['@value'] ?? value.name);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

function imagesOf(image: unknown, resolve: Resolve): string[] {
  const images = Array.isArray(image) ? image : [image];
  return images.flatMap((one) => {
    const resolved = resolve(one);
    const url = isObject(resolved) ? (resolved.url ?? resolved.contentUrl ?? resolved['@id']) : resolved;
    return typeof url === 'string' && url.trim() !== '' ? [url.trim()] : [];
  });
}

function resolveAll(value: unknown, resolve: Resolve): unknown {
  return Array.isArray(value) ? value.map((item) => resolve(item)) : resolve(value);
}
