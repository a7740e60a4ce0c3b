import { Parser } from 'htmlparser2';

type Attributes = Readonly<Record<string, string>>;

/** What is done with the parts of an XML document. Names have no prefixes, because their prefixes may be any. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Parses XML as it arrives. Yields after each chunk, so that what the handler has found is passed on. Neither declares entities nor
 * loads anything: only the five entities of XML and numbers are decoded.
 */
export async function* parseXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => handler.open?.(localName(name), attributes),
      onclosetag: (name) => handler.close?.(localName(name)),
      ontext: (text) => handler.text?.(text),
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.end();
  yield;
}

/** Parses a small document. */
export async function parseWhole(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(chunks, handler));
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** Reads an attribute whose prefix may be any. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((one) => localName(one) === name);
  return key && attributes[key];
}
