/** One property of a component (RFC 5545, 3.1). */
export interface Property {
  /** Upper case. */
  name: string;
  /** Parameter values by upper-case name, without their quotes. */
  params: ReadonlyMap<string, string>;
  /** As written: not unescaped. */
  value: string;
}

/** Reads a content line; undefined where it is none. Quoted parameter values may hold any of `:;,`. */
export function parseProperty(line: string): Property | undefined {
  const name = /^[A-Za-z0-9-]+/.exec(line)?.[0];
  if (name === undefined) return undefined;
  const params = new Map<string, string>();
  let at = name.length;
  const param = /;([A-Za-z0-9-]+)=((?:"[^"]*"|[^";:])*)/y;
  while (line[at] === ';') {
    param.lastIndex = at;
    const match = param.exec(line);
    if (match === null) return undefined;
    params.set((match[1] ?? '').toUpperCase(), unescapeParam(match[2] ?? ''));
    at = param.lastIndex;
  }
  if (line[at] !== ':') return undefined;
  return { name: name.toUpperCase(), params, value: line.slice(at + 1) };
}

/** Undoes the escapes of a TEXT value (RFC 5545, 3.3.11). A backslash before any other character stands for itself. */
export function unescapeText(value: string): string {
  return value.replace(/\\([\\;,nN])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character));
}

/** The values of a comma-separated TEXT list, unescaped. */
export function splitTextList(value: string): string[] {
  const parts = value.match(/(?:\\.|[^,\\])+|\\$/g) ?? [];
  return parts.map((part) => unescapeText(part).trim()).filter((part) => part !== '');
}

/** RFC 6868: ^n, ^' and ^^ inside parameter values. */
function unescapeParam(value: string): string {
  const plain = value.replaceAll('"', '');
  return plain.replace(/\^([n'^])/g, (_, character: string) => ({ n: '\n', "'": '"' })[character] ?? '^');
}
