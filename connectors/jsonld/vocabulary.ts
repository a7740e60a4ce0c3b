import { isObject } from '../../src/core/record.ts';

/** An object of a JSON-LD document. */
export type Node = Readonly<Record<string, unknown>>;

/** What the contexts around an object say (JSON-LD 1.1, 4.1). */
interface Names {
  /** Whether the context of schema.org is among them, which has `type` and `id` for `@type` and `@id`. */
  isSchemaOrg: boolean;
  /** The meanings of terms and prefixes, those of the innermost context first. */
  meanings: ReadonlyArray<ReadonlyMap<string, string>>;
  base: string | undefined;
}

const schemaOrg = /^https?:\/\/(?:www\.)?schema\.org[/#]/i;

export type Vocabulary = ReturnType<typeof createVocabulary>;

/**
 * Creates what gives the properties of schema.org their plain names: `schema:name`, `http://schema.org/name`, names with a
 * prefix of the context, and terms that the context defines. Other names stay. An address of a context is not fetched.
 * @param base address from which each `@id` starts
 */
export function createVocabulary(base: string) {
  const written = new WeakMap<Node, Node>();
  const types = new WeakMap<Node, readonly string[]>();
  const ids = new WeakMap<Node, string>();

  return {
    /** Returns a document in plain names. @param scope what distinguishes its blank nodes from those of other documents */
    inPlainNames: (document: unknown, scope: string) =>
      named(document, { isSchemaOrg: false, meanings: [], base }, scope),
    /** Returns an object as it was written, if its properties have other names there. */
    written: (node: Node) => written.get(node),
    /** Returns the types of an object, without the address of schema.org. */
    typesOf: (node: Node) => types.get(node) ?? [],
    /** Returns the `@id` of an object as an absolute address; the name of a blank node includes the document. */
    idOf: (node: Node) => ids.get(node),
  };

  function named(value: unknown, outer: Names, scope: string): unknown {
    if (Array.isArray(value)) return value.map((item) => named(item, outer, scope));
    return isObject(value) ? namedNode(value, outer, scope) : value;
  }

  function namedNode(node: Node, outer: Names, scope: string): Node {
    const names = Object.hasOwn(node, '@context') ? withContext(outer, node['@context']) : outer;
    const entries = Object.entries(node).flatMap(([name, value]) => {
      const plain = plainName(name, names, node);
      // A property that has its plain name already comes first.
      if (plain !== name && Object.hasOwn(node, plain)) return [];
      return [[plain, name === '@context' ? value : named(value, names, scope)] as const];
    });
    const result = Object.fromEntries(entries);
    if (Object.keys(result).some((name) => !Object.hasOwn(node, name))) written.set(result, node);
    const { '@id': id, '@type': type } = result;
    if (typeof id === 'string') ids.set(result, isBlankNode(id) ? `${scope} ${id}` : absolute(id, names.base));
    if (type !== undefined)
      types.set(
        result,
        [type].flat().map((one) => typeName(one, names)),
      );
    return result;
  }
}

/** Returns true for the `@id` of a blank node, which names the node only inside its document. */
export function isBlankNode(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('_:');
}

/** Returns an address as an absolute one; unchanged if the base is none, such as the path of a file. */
export function absolute(address: string, base: string | undefined): string {
  return (URL.parse(address) ?? URL.parse(address, base))?.href ?? address;
}

function typeName(type: unknown, names: Names): string {
  return typeof type === 'string' ? meaningOf(type, names).replace(schemaOrg, '') : '';
}

function plainName(name: string, names: Names, node: Node): string {
  const isAlias = names.isSchemaOrg && !Object.hasOwn(node, '@type') && (name === 'type' || name === 'id');
  const meaning = isAlias ? `@${name}` : meaningOf(name, names);
  if (/^@(id|type|graph)$/.test(meaning)) return meaning;
  const plain = meaning.replace(schemaOrg, '');
  // Other names, such as `__proto__`, stay.
  return plain !== meaning && /^[A-Za-z]\w*$/.test(plain) ? plain : name;
}

function meaningOf(name: string, { meanings }: Names): string {
  const meaning = definition(name, meanings) ?? name;
  const [, prefix, rest] = /^([\w-]+):(?!\/\/)(.+)$/.exec(meaning) ?? [];
  if (prefix === undefined || rest === undefined) return meaning;
  return (definition(prefix, meanings) ?? (prefix === 'schema' ? 'https://schema.org/' : `${prefix}:`)) + rest;
}

function definition(term: string, meanings: Names['meanings']): string | undefined {
  return meanings.find((known) => known.has(term))?.get(term);
}

function withContext({ isSchemaOrg, meanings, base }: Names, context: unknown): Names {
  const own = new Map<string, string>();
  const names = { isSchemaOrg, meanings: [own, ...meanings], base };
  for (const one of [context].flat()) {
    if (typeof one === 'string') names.isSchemaOrg ||= schemaOrg.test(`${one}/`);
    if (!isObject(one)) continue;
    for (const [term, value] of Object.entries(one)) {
      const meaning = isObject(value) ? value['@id'] : value;
      if (typeof meaning !== 'string') continue;
      if (term === '@base') names.base = absolute(meaning, base);
      else if (!term.startsWith('@')) own.set(term, meaning);
    }
  }
  return own.size > 0 ? names : { ...names, meanings };
}
