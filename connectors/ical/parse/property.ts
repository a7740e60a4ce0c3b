/** A property of a component (RFC 5545, 3.1). */
export interface Property {
  /** Name in upper case. */
  name: string;
  /** Parameter values by upper-case name, without their quotes. */
  params: ReadonlyMap<string, string>;
  /** Value as written, with its escapes. */
  value: string;
}

/** The part of a content line before the value. */
interface Head extends Omit<Property, 'value'> {
  length: number;
}

/** Cache of parsed heads: a calendar repeats a few heads many times, such as DTSTART;TZID=Europe/Berlin. */
const knownHeads = new Map<string, Head>();
const MOST_KNOWN = 1000;

/** Parses a content line. Returns undefined if the line is not a property. Quoted parameter values may contain any of `:;,`. */
export function parseProperty(line: string): Property | undefined {
  const colon = line.indexOf(':');
  const head = knownHeads.get(line.slice(0, colon)) ?? parseHead(line);
  if (head === undefined) return undefined;
  const { name, params, length } = head;
  // If a quoted value contains a colon, the first colon does not end the head.
  if (length === colon && length < 100 && knownHeads.size < MOST_KNOWN) knownHeads.set(line.slice(0, length), head);
  return { name, params, value: line.slice(length + 1) };
}

/** Parameters of vCalendar 1.0 that have a value without a name, by value. */
const nameless: Readonly<Record<string, string>> = {
  'QUOTED-PRINTABLE': 'ENCODING',
  BASE64: 'ENCODING',
  '7BIT': 'ENCODING',
  '8BIT': 'ENCODING',
  DATE: 'VALUE',
  'DATE-TIME': 'VALUE',
  URI: 'VALUE',
  URL: 'VALUE',
};

/** Parses the head of a content line. Some programs write blanks around the names, or end the parameters with a semicolon. */
function parseHead(line: string): Head | undefined {
  const [start, name] = /^([A-Za-z0-9-]+) *(?=[;:])/.exec(line) ?? [];
  if (start === undefined || name === undefined) return undefined;
  const params = new Map<string, string>();
  let at = start.length;
  const param = /; *(?:([A-Za-z0-9-]+) *(?:=((?:"[^"]*"|[^";:])*))?)?(?=[;:])/y;
  while (line[at] === ';') {
    param.lastIndex = at;
    const [text, word, value] = param.exec(line) ?? [];
    if (text === undefined) return undefined;
    at = param.lastIndex;
    if (word === undefined) continue;
    const key = word.toUpperCase();
    const isNameless = value === undefined;
    // Other words in upper case are types, such as WAVE.
    const owner = isNameless ? (nameless[key] ?? (word === key ? 'TYPE' : undefined)) : key;
    if (owner === undefined) return undefined;
    params.set(owner, unescapeParam((value ?? key).trim()));
  }
  return line[at] === ':' ? { name: name.toUpperCase(), params, length: at } : undefined;
}

/** Returns the trimmed values of all properties with a name. */
export function valuesOf(properties: readonly Property[], wanted: string): string[] {
  return properties.filter(({ name }) => name === wanted).map(({ value }) => value.trim());
}

/** Returns the first value with a name, in upper case. */
export function wordOf(properties: readonly Property[], name: string): string | undefined {
  return valuesOf(properties, name)[0]?.toUpperCase();
}

/** Unescapes a TEXT value (RFC 5545, 3.3.11). A backslash before any other character is kept. */
export function unescapeText(value: string): string {
  return value.replace(/\\([\\;,nN])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character));
}

/** Splits and unescapes a comma-separated TEXT list. */
export function splitTextList(value: string): string[] {
  const parts = value.match(/(?:\\.|[^,\\])+|\\$/g) ?? [];
  return parts.map((part) => unescapeText(part).trim()).filter((part) => part !== '');
}

/** Unescapes a parameter value (RFC 6868): ^n, ^' and ^^. */
function unescapeParam(value: string): string {
  const plain = value.replaceAll('"', '');
  return plain.replace(/\^([n'^])/g, (_, character: string) => ({ n: '\n', "'": '"' })[character] ?? '^');
}
