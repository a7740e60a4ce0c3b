import { isObject } from '../json/item-record.ts';
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

/** Finds the schema.org events of a document, at any depth. A series that lists its events does not count itself. */
export function eventsIn(document: unknown): Array<{ at: string; node: Node }> {
  return [...nodesIn(document)]
    .filter(({ node }) => isEvent(node) && !(node.subEvent !== undefined && node.startDate === undefined))
    .map(({ node, keys }) => ({ at: formatPath(keys), node }));
}

function isEvent(node: Node): boolean {
  const types = Array.isArray(node['@type']) ? node['@type'] : [node['@type']];
  return types.some((type) => {
    const name = typeof type === 'string' ? type.replace(/^(https?:\/\/schema\.org\/|schema:)/, '') : '';
    return /^[A-Z]?\w*Event$/.test(name) || otherEventTypes.has(name);
  });
}
