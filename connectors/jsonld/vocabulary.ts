import { isObject } from '../../src/core/record.ts';

/** An object of a JSON-LD document. */
export type Node = Readonly<Record<string, unknown>>;

/** What the contexts around an object say (JSON-LD 1.1, 4.1). */
interface Names {
  /** Whether the context of schema.org is among them, which has `type` and `id` for `@type` and `@id`. */
  isSchemaOrg: boolean;
  base: string | undefined;
}

const schemaOrg = /^(?:schema:(?!\/\/)|https?:\/\/(?:www\.)?schema\.org[/#])/i;

export type Vocabulary = ReturnType<typeof createVocabulary>;

/**
 * Creates what gives the properties of schema.org their plain names: `schema:name` and `http://schema.org/name`. Other names stay:
 * neither prefixes nor terms that a context defines are followed, and its address is not fetched.
 * @param base address from which each `@id` starts
 */
export function createVocabulary(base: string) {
  const written = new WeakMap<Node, Node>();
  const types = new WeakMap<Node, readonly string[]>();
  const ids = new WeakMap<Node, string>();

  return {
    /** Returns a document in plain names. @param scope what distinguishes its blank nodes from those of other documents */
    inPlainNames: (document: unknown, scope: string) => named(document, { isSchemaOrg: false, base }, scope),
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
    if (type !== undefined) types.set(result, [type].flat().map(typeName));
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

function typeName(type: unknown): string {
  return typeof type === 'string' ? type.replace(schemaOrg, '') : '';
}

function plainName(name: string, { isSchemaOrg }: Names, node: Node): string {
  if (isSchemaOrg && (name === 'type' || name === 'id') && !Object.hasOwn(node, '@type')) return `@${name}`;
  const plain = name.replace(schemaOrg, '');
  // Other names, such as `__proto__`, stay.
  return /^[A-Za-z]\w*$/.test(plain) ? plain : name;
}

function withContext(outer: Names, context: unknown): Names {
  const names = { ...outer };
  for (const one of [context].flat()) {
    if (typeof one === 'string') names.isSchemaOrg ||= schemaOrg.test(`${one}/`);
    else if (isObject(one) && typeof one['@base'] === 'string') names.base = absolute(one['@base'], outer.base);
  }
  return names;
}
