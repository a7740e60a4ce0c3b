import { Parser } from 'htmlparser2';
import { isHtmlType, styledDescriptions } from './html-fields.ts';
import type { IcalOptions } from './options.ts';
import { type Property, splitTextList, unescapeText } from './parse/property.ts';

/** Elements that no visitor sees. */
const invisible = new Set(['head', 'title', 'style', 'script']);

/** Properties whose value is a list. */
const textLists = new Set(['CATEGORIES', 'RESOURCES']);
/** Properties that may be repeated: their field is always a list. */
const repeatable = new Set('COMMENT CONTACT RELATED-TO RDATE EXDATE EXRULE CONFERENCE REQUEST-STATUS'.split(' '));
/** Properties whose value is not TEXT, so that the value has no escapes. */
const verbatim = new Set('URL UID RRULE EXRULE RDATE EXDATE CONFERENCE SOURCE RECURRENCE-ID'.split(' '));
/** Properties from which other fields are made. */
const readElsewhere = new Set(['DTSTART', 'DTEND', 'DURATION', 'UID']);

/**
 * Reads the properties of an event as plain data, under their RFC 5545 names in lower case (`last-modified`, `x-alt-desc`),
 * and their parameters under `params` (`params.dtstart.tzid`). If a property that may occur once is repeated, the first counts.
 */
export function propertyFields(
  properties: readonly Property[],
  { description }: Pick<IcalOptions, 'description'>,
): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  const append = (name: string, values: unknown[]) => {
    const before = fields.get(name);
    if (Array.isArray(before)) for (const value of values) before.push(value);
    else fields.set(name, values);
  };
  for (const property of properties) {
    const { name, value } = property;
    const field = name.toLowerCase();
    if (readElsewhere.has(name)) continue;
    if (name === 'IMAGE' || name === 'ATTACH') {
      if (isImage(property) && !fields.has('image')) fields.set('image', fileOf(property));
      else append('attach', [fileOf(property)]);
    } else if (name === 'ATTENDEE') append(field, [personOf(property)]);
    else if (textLists.has(name)) append(field, splitTextList(value));
    else if (repeatable.has(name)) append(field, [plainValue(property)]);
    else if (!fields.has(field)) fields.set(field, plainValue(property));
  }
  const html = description === 'html' ? htmlDescription(properties) : undefined;
  if (html !== undefined && (!fields.get('description') || showsText(html))) fields.set('description', html);
  const params = paramsOf(properties);
  if (params) fields.set('params', params);
  return Object.fromEntries([...fields].filter(([, value]) => value !== undefined));
}

/** Reads GEO (RFC 5545, 3.8.1.6); undefined if the value is not a place on earth. */
function geoOf(value: string): { latitude: number; longitude: number } | undefined {
  const match = /^\s*([+-]?\d+(?:\.\d*)?)\s*[;,]\s*([+-]?\d+(?:\.\d*)?)\s*$/.exec(value);
  const [latitude, longitude] = [Number(match?.[1]), Number(match?.[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** Returns parameters by property and name in lower case; a list if several properties with the same name have parameters. */
function paramsOf(properties: readonly Property[]): Record<string, unknown> | undefined {
  const withParams = properties.filter(({ params }) => params.size > 0);
  if (withParams.length === 0) return undefined;
  const byName = Map.groupBy(withParams, ({ name }) => name.toLowerCase());
  const plain = ({ params }: Property) =>
    Object.fromEntries([...params].map(([name, value]) => [name.toLowerCase(), value]));
  const entries = [...byName].map(([name, all]) => [name, all.length === 1 ? all.map(plain)[0] : all.map(plain)]);
  return Object.fromEntries(entries);
}

function plainValue(property: Property): unknown {
  const { name, params, value } = property;
  if (name === 'ORGANIZER') return personOf(property);
  if (name === 'GEO') return geoOf(value);
  if (name === 'SEQUENCE' || name === 'PRIORITY') return Number.parseInt(value, 10) || 0;
  if (name === 'STATUS' || name === 'CLASS' || name === 'TRANSP') return value.trim().toUpperCase();
  return verbatim.has(name) || params.get('VALUE')?.toUpperCase() === 'URI' ? value.trim() : unescapeText(value);
}

/** ORGANIZER and ATTENDEE (RFC 5545, 3.8.4): the address, and the name if there is one. */
function personOf({ params, value }: Property): Record<string, string> {
  const uri = value.trim();
  const name = params.get('CN');
  const email = /^mailto:(.+)$/i.exec(uri)?.[1] ?? params.get('EMAIL');
  return { uri, ...(email ? { email } : {}), ...(name ? { name } : {}) };
}

/** IMAGE (RFC 7986, 5.10), or an ATTACH with an image. */
function isImage({ name, params }: Property): boolean {
  return name === 'IMAGE' || (params.get('FMTTYPE')?.toLowerCase().startsWith('image/') ?? false);
}

function fileOf({ params, value }: Property): unknown {
  const mediaType = params.get('FMTTYPE')?.toLowerCase();
  const isInline =
    params.get('ENCODING')?.toUpperCase() === 'BASE64' || params.get('VALUE')?.toUpperCase() === 'BINARY';
  return isInline ? { base64: value.trim(), ...(mediaType ? { mediaType } : {}) } : value.trim();
}

/** Returns the description of an event as HTML. */
function htmlDescription(properties: readonly Property[]): string | undefined {
  const styled = properties.find(
    ({ name, params }) => styledDescriptions.includes(name) && isHtmlType(params.get('FMTTYPE')),
  );
  return styled && unescapeText(styled.value);
}

/** Returns whether visitors would see any text. Outlook writes HTML without text, too. */
function showsText(html: string): boolean {
  let hiding = 0;
  let shows = false;
  const parser = new Parser({
    onopentag(name) {
      if (invisible.has(name)) hiding += 1;
    },
    onclosetag(name) {
      if (invisible.has(name)) hiding -= 1;
    },
    ontext(text) {
      shows ||= hiding === 0 && text.trim() !== '';
    },
  });
  parser.end(html);
  return shows;
}
