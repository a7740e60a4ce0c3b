import { sha256 } from '../../src/core/hash.ts';
import { isObject } from '../../src/core/record.ts';
import { formatPath, type Keys } from '../json/path.ts';

/** An object of a JSON-LD document. */
export type Node = Readonly<Record<string, unknown>>;

/** Subtypes of schema.org's Event without the ending "Event". */
const otherEventTypes = new Set(['Festival', 'Hackathon', 'CourseInstance', 'EventSeries']);

/** Yields every object of a document, at any depth, with its path. */
export function* nodesIn(value: unknown, keys: Keys = []): Generator<{ node: Node; keys: Keys }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* nodesIn(item, [...keys, index]);
  } else if (isObject(value)) {
    yield { node: value, keys };
    for (const [name, member] of Object.entries(value)) yield* nodesIn(member, [...keys, name]);
  }
}

/** Finds the schema.org events of a document, at any depth. A series that lists its events is not an event itself. */
export function eventsIn(document: unknown): Array<{ at: string; node: Node }> {
  return [...nodesIn(document)]
    .filter(({ node }) => isEvent(node) && !(node.subEvent !== undefined && node.startDate === undefined))
    .map(({ node, keys }) => ({ at: formatPath(keys), node }));
}

function isEvent(node: Node): boolean {
  return [node['@type']].flat().some((type) => {
    const name = typeof type === 'string' ? type.replace(/^(https?:\/\/schema\.org\/|schema:)/, '') : '';
    return /^[A-Z]?\w*Event$/.test(name) || otherEventTypes.has(name);
  });
}

/** Resolves a reference such as `{ "@id": "#hall" }` to the named object. Returns other values unchanged. */
export type Resolve = (value: unknown) => unknown;

/**
 * Reads the fields of an event: its own properties, with the common ones in one form. `id` is its `@id`, identifier or URL,
 * otherwise a hash of its content; `name`, `description`, `startDate`, `endDate` and `url` are text; `image` is a list of
 * URLs; references to a location or organizer of the same document are resolved.
 */
export function eventFields(node: Node, resolve: Resolve): Record<string, unknown> {
  const texts = ['name', 'description', 'startDate', 'endDate', 'url'].map((name) => [name, textOf(node[name])]);
  const resolved = ['location', 'organizer'].map((name) => [name, resolveAll(node[name], resolve)]);
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
  return [image].flat().flatMap((one) => {
    const resolved = resolve(one);
    const url = isObject(resolved) ? (resolved.url ?? resolved.contentUrl ?? resolved['@id']) : resolved;
    return typeof url === 'string' && url.trim() !== '' ? [url.trim()] : [];
  });
}

function resolveAll(value: unknown, resolve: Resolve): unknown {
  return Array.isArray(value) ? value.map((item) => resolve(item)) : resolve(value);
}
