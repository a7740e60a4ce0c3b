import type { IcalOptions } from './options.ts';
import { type Property, splitTextList, unescapeText } from './parse/property.ts';

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
const verbatim = new Set(['URL', 'UID', 'RRULE', 'EXRULE', 'RDATE', 'EXDATE', 'CONFERENCE', 'SOURCE', 'RECURRENCE-ID']);
/** Read elsewhere. */
const elsewhere = new Set(['DTSTART', 'DTEND', 'DURATION', 'UID']);

/**
 * The properties of an event as plain data, under their RFC 5545 names in lower case (`last-modified`, `x-alt-desc`), and
 * their parameters under `params` (`params.dtstart.tzid`). Where a property that may stand once stands again, the first counts.
 */
export function propertyFields(
  properties: readonly Property[],
  { description }: Pick<IcalOptions, 'description'>,
): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  const append = (name: string, values: unknown[]) => {
    const before = fields.get(name);
    fields.set(name, Array.isArray(before) ? [...before, ...values] : values);
  };
  for (const property of properties) {
    const { name, value } = property;
    const field = name.toLowerCase();
    if (elsewhere.has(name)) continue;
    if (name === 'IMAGE' || name === 'ATTACH') addFile(property, fields, append);
    else if (name === 'ATTENDEE') append(field, [person(property)]);
    else if (textLists.has(name)) append(field, splitTextList(value));
    else if (repeatable.has(name)) append(field, [textOf(property)]);
    else if (!fields.has(field)) fields.set(field, singleValue(property));
  }
  const html = description === 'html' ? htmlDescription(properties) : undefined;
  if (html !== undefined) fields.set('description', html);
  const params = paramsOf(properties);
  if (params) fields.set('params', params);
  return Object.fromEntries([...fields].filter(([, value]) => value !== undefined));
}

function singleValue(property: Property): unknown {
  if (property.name === 'ORGANIZER') return person(property);
  return property.name === 'GEO' ? geo(property.value) : textOf(property);
}

/** GEO (RFC 5545, 3.8.1.6); undefined where it is no place on earth. */
function geo(value: string): { latitude: number; longitude: number } | undefined {
  const match = /^\s*([+-]?\d+(?:\.\d*)?)\s*[;,]\s*([+-]?\d+(?:\.\d*)?)\s*$/.exec(value);
  const [latitude, longitude] = [Number(match?.[1]), Number(match?.[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** Outlook's X-ALT-DESC, or STYLED-DESCRIPTION (RFC 9073, 6.5). */
function htmlDescription(properties: readonly Property[]): string | undefined {
  const styled = properties.find(
    ({ name, params }) =>
      (name === 'X-ALT-DESC' || name === 'STYLED-DESCRIPTION') && params.get('FMTTYPE')?.toLowerCase() === 'text/html',
  );
  return styled && unescapeText(styled.value);
}

/** By property and parameter in lower case; where a property stands several times, those of each that has any. */
function paramsOf(properties: readonly Property[]): Record<string, unknown> | undefined {
  const found = new Map<string, Array<Record<string, string>>>();
  for (const { name, params } of properties) {
    if (params.size === 0) continue;
    const entry = Object.fromEntries([...params].map(([param, value]) => [param.toLowerCase(), value]));
    const before = found.get(name);
    if (before) before.push(entry);
    else found.set(name, [entry]);
  }
  if (found.size === 0) return undefined;
  return Object.fromEntries([...found].map(([name, all]) => [name.toLowerCase(), all.length === 1 ? all[0] : all]));
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
