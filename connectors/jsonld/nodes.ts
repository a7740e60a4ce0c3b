import { formatPath, type Keys } from '../json/path.ts';

/** An object of a JSON-LD document. */
export type Node = Readonly<Record<string, unknown>>;

/** An event of a document, and where it is. */
export interface EventNode {
  at: string;
  node: Node;
}

/** Subtypes of schema.org's Event whose names do not end in "Event". */
const otherEventTypes = new Set(['Festival', 'Hackathon', 'CourseInstance', 'EventSeries']);

/** Every object of a document, at any depth, with its place. */
export function* nodesIn(value: unknown, keys: Keys = []): Generator<{ node: Node; keys: Keys }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* nodesIn(item, [...keys, index]);
  } else if (isNode(value)) {
    yield { node: value, keys };
    for (const [name, member] of Object.entries(value)) yield* nodesIn(member, [...keys, name]);
  }
}

/** The schema.org events of a document, wherever they stand. A series that lists its events is none itself. */
export function eventsIn(document: unknown): EventNode[] {
  return [...nodesIn(document)]
    .filter(({ node }) => isEvent(node) && !(node.subEvent !== undefined && node.startDate === undefined))
    .map(({ node, keys }) => ({ node, at: formatPath(keys) }));
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEvent(node: Node): boolean {
  const types = Array.isArray(node['@type']) ? node['@type'] : [node['@type']];
  return types.some((type) => {
    const name = typeof type === 'string' ? type.replace(/^(https?:\/\/schema\.org\/|schema:)/, '') : '';
    return /^[A-Z]?\w*Event$/.test(name) || otherEventTypes.has(name);
  });
}
