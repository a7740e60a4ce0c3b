import { type Property, splitTextList, unescapeText } from './property.ts';

/** Properties whose value is a list in itself. */
const textLists = new Set(['CATEGORIES', 'RESOURCES']);
/** Properties that may stand several times: always a list. */
const repeatable = new Set([
  'COMMENT',
  'CONTACT',
  'RELATED-TO',
  'RDATE',
  'EXDATE',
  'EXRULE',
  'CONFERENCE',
  'REQUEST-STATUS',
]);
/** Properties whose value is no TEXT: nothing is escaped in it. */
const verbatim = new Set(['URL', 'UID', 'RRULE', 'EXRULE', 'RDATE', 'EXDATE', 'CONFERENCE', 'SOURCE']);
/** Read elsewhere. */
const elsewhere = new Set(['DTSTART', 'DTEND', 'DURATION', 'GEO', 'UID']);

/**
 * The properties of an event as plain data, under their RFC 5545 names in lower case without hyphens (`lastmodified`);
 * extension names keep theirs (`x-alt-desc`). Where a property that may stand once stands again, the first counts.
 */
export function fieldsOf(properties: readonly Property[]): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  const append = (name: string, values: unknown[]) => {
    const before = fields.get(name);
    fields.set(name, Array.isArray(before) ? [...before, ...values] : values);
  };
  for (const property of properties) {
    const { name, value } = property;
    const field = fieldName(name);
    if (elsewhere.has(name)) continue;
    if (name === 'IMAGE' || name === 'ATTACH') addFile(property, fields, append);
    else if (name === 'ATTENDEE') append(field, [person(property)]);
    else if (textLists.has(name)) append(field, splitTextList(value));
    else if (repeatable.has(name)) append(field, [textOf(property)]);
    else if (!fields.has(field)) fields.set(field, name === 'ORGANIZER' ? person(property) : textOf(property));
  }
  return Object.fromEntries(fields);
}

function fieldName(name: string): string {
  const lower = name.toLowerCase();
  return lower.startsWith('x-') ? lower : lower.replaceAll('-', '');
}

function textOf({ name, params, value }: Property): unknown {
  if (name === 'SEQUENCE' || name === 'PRIORITY') return Number.parseInt(value, 10) || 0;
  if (name === 'STATUS' || name === 'CLASS' || name === 'TRANSP') return value.trim().toUpperCase();
  return verbatim.has(name) || params.get('VALUE')?.toUpperCase() === 'URI' ? value.trim() : unescapeText(value);
}

/** ORGANIZER and ATTENDEE (RFC 5545, 3.8.4): address and, where given, name. */
function person({ params, value }: Property): Record<string, string> {
  const address = value.trim();
  const name = params.get('CN');
  const email = /^mailto:(.+)$/i.exec(address)?.[1] ?? params.get('EMAIL');
  return { uri: address, ...(email ? { email } : {}), ...(name ? { name } : {}) };
}

/** IMAGE (RFC 7986, 5.10) and ATTACH: the first image is the event's picture, everything else an attachment. */
function addFile(
  property: Property,
  fields: Map<string, unknown>,
  append: (name: string, values: unknown[]) => void,
): void {
  const { name, params, value } = property;
  const mediaType = params.get('FMTTYPE')?.toLowerCase();
  const isInline =
    params.get('ENCODING')?.toUpperCase() === 'BASE64' || params.get('VALUE')?.toUpperCase() === 'BINARY';
  const file = isInline ? { base64: value.trim(), ...(mediaType ? { mediaType } : {}) } : value.trim();
  const isImage = name === 'IMAGE' || mediaType?.startsWith('image/');
  if (isImage && !fields.has('image')) fields.set('image', file);
  else append('attach', [file]);
}
