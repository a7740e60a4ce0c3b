import { sha256 } from '../../src/core/hash.ts';
import { isNode, type Node } from './nodes.ts';

/** Finds the object that a reference such as `{ "@id": "#hall" }` names; anything else is itself. */
export type Resolve = (value: unknown) => unknown;

/**
 * The fields of an event: its own properties, with the common ones in one form. `id` is its `@id`, identifier or address,
 * else made of its content; `name`, `description`, `startDate`, `endDate` and `url` are text; `image` is a list of
 * addresses; references to a location or organizer of the same document are replaced by what they name.
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

/** Whether the event is called off (schema.org: eventStatus). */
export function isCancelled(node: Node): boolean {
  return /EventCancelled$/.test(textOf(node.eventStatus) ?? textOf(idValue(node.eventStatus)) ?? '');
}

function idOf(node: Node): string {
  const { identifier } = node;
  const named = textOf(node['@id']) ?? textOf(isNode(identifier) ? identifier.value : identifier) ?? textOf(node.url);
  return (
    named ?? sha256(JSON.stringify([textOf(node.name), textOf(node.startDate), textOf(node.location)])).slice(0, 32)
  );
}

/** Text, a number, a typed or tagged literal (`{ "@value": … }`), or the first of several of these. */
function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return textOf(value[0]);
  if (isNode(value)) return textOf(value['@value'] ?? value.name);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

function idValue(value: unknown): unknown {
  return isNode(value) ? value['@id'] : undefined;
}

function imagesOf(image: unknown, resolve: Resolve): string[] {
  const images = Array.isArray(image) ? image : [image];
  return images.flatMap((one) => {
    const resolved = resolve(one);
    const address = isNode(resolved) ? (resolved.url ?? resolved.contentUrl ?? resolved['@id']) : resolved;
    return typeof address === 'string' && address.trim() !== '' ? [address.trim()] : [];
  });
}

function resolveAll(value: unknown, resolve: Resolve): unknown {
  return Array.isArray(value) ? value.map((item) => resolve(item)) : resolve(value);
}
