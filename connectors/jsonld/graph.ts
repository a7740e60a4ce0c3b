import { CodedError } from '../../src/core/errors.ts';
import { isObject } from '../../src/core/record.ts';
import { formatPath, type Keys } from '../json/path.ts';
import { type Description, isEventType } from './event.ts';
import type { Node, Vocabulary } from './vocabulary.ts';

/** A document of a page. `prefix` precedes the path of an object in the object's place. */
export interface ParsedDocument {
  prefix: string;
  content: unknown;
}

/** Levels of references. */
const MAX_DEPTH = 3;
/** Longest text of all objects that replace references: the same large object may be referred to again and again. */
const MAX_RESOLVED = 100_000_000;

/** Collects the objects of the documents of a page. An `@id` names the same object in all of them. */
export function createGraph(documents: readonly ParsedDocument[], vocabulary: Vocabulary) {
  const events: Description[] = [];
  /** Objects without a type. What they say of an event belongs to it. */
  const untyped: Description[] = [];
  const others = new Map<string, Node[]>();
  const merged = new Map<string, { node: Node; length: number }>();
  let resolvedLength = 0;
  for (const { prefix, content } of documents) {
    for (const { node, keys } of nodesIn(vocabulary.inPlainNames(content, prefix))) addNode(prefix, keys, node);
  }
  const ids = new Set(events.flatMap(({ id }) => id ?? []));
  for (const one of untyped) if (one.id !== undefined && ids.has(one.id)) events.push(one);
  return { events, resolve };

  function addNode(prefix: string, keys: Keys, node: Node): void {
    const id = vocabulary.idOf(node);
    const types = vocabulary.typesOf(node);
    const isSuperEvent = keys.findLast((key) => typeof key === 'string') === 'superEvent';
    const description = { at: prefix + formatPath(keys), node, id, types, isSuperEvent };
    if (isEventType(types)) events.push(description);
    else if (id !== undefined && Object.keys(node).length > 1) {
      if (types.length === 0) untyped.push(description);
      const known = others.get(id);
      if (known) known.push(node);
      else others.set(id, [node]);
    }
  }

  /**
   * Adds to the objects in a value what the documents say elsewhere about the same `@id`; what an object itself says comes
   * first. Events are not added: they are records of their own.
   * @throws CodedError FF_FEED_TOO_LARGE
   */
  function resolve(value: unknown, depth = MAX_DEPTH): unknown {
    if (others.size === 0 || depth === 0) return value;
    if (Array.isArray(value)) return value.map((item) => resolve(item, depth));
    if (!isObject(value)) return value;
    return mapMembers({ ...knownOf(value), ...value }, (member) => resolve(member, depth - 1));
  }

  function knownOf(node: Node): Node | undefined {
    const id = vocabulary.idOf(node);
    const all = id === undefined ? undefined : others.get(id);
    if (id === undefined || all === undefined || (all.length === 1 && all[0] === node)) return undefined;
    const known = merged.get(id) ?? mergeAll(all);
    merged.set(id, known);
    resolvedLength += known.length;
    if (resolvedLength <= MAX_RESOLVED) return known.node;
    throw new CodedError(
      'FF_FEED_TOO_LARGE',
      `The references of the page expand to more than ${MAX_RESOLVED} characters.`,
    );
  }
}

/** Yields every object of a document, at any depth, with its path. */
function* nodesIn(value: unknown, keys: Keys = []): Generator<{ node: Node; keys: Keys }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* nodesIn(item, [...keys, index]);
  } else if (isObject(value)) {
    yield { node: value, keys };
    for (const [name, member] of Object.entries(value)) {
      if (name !== '@context') yield* nodesIn(member, [...keys, name]);
    }
  }
}

function mergeAll(nodes: readonly Node[]): { node: Node; length: number } {
  const node = Object.fromEntries(nodes.toReversed().flatMap(Object.entries));
  return { node, length: JSON.stringify(node).length };
}

function mapMembers(node: Node, change: (member: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, change(member)]));
}
