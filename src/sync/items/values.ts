import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../core/record.ts';

/**
 * Whether two values mean the same to a CMS: null, "", absent and what holds nothing else are all empty, "18:00" is
 * "18:00:00", and line ends do not count.
 */
export function sameValue(one: Json, other: Json): boolean {
  return isDeepStrictEqual(normal(one), normal(other));
}

export function isEmpty(value: Json): boolean {
  return normal(value) === null;
}

/** Of an object the parts that `like` has: a CMS adds some of its own. Any other value as it is. */
export function partsLike(value: Json, like: Json): Json {
  if (!isObject(value) || !isObject(like)) return value;
  return Object.fromEntries(Object.keys(like).map((part) => [part, value[part] ?? null]));
}

/** The value of an attribute, or of a part of one (`time.start`), as JSON; null where there is none. */
export function valueAt(item: Readonly<Record<string, unknown>>, path: string): Json {
  if (Object.hasOwn(item, path)) return (item[path] ?? null) as Json;
  const [, attribute = '', part = ''] = /^([^.]*)\.(.*)$/s.exec(path) ?? [];
  const value = Object.hasOwn(item, attribute) ? (item[attribute] as Json) : null;
  return isObject(value) ? valueAt(value, part) : null;
}

/** Whether an item has a value in an attribute; parts of it that only the item has do not count. */
export function hasValue(item: Readonly<Record<string, unknown>>, attribute: string, value: Json): boolean {
  return sameValue(partsLike(valueAt(item, attribute), value), value);
}

/** Whether an item has all of these values. */
export function hasAll(
  item: Readonly<Record<string, unknown>>,
  attributes: { readonly [name: string]: Json },
): boolean {
  return Object.entries(attributes).every(([attribute, value]) => hasValue(item, attribute, value));
}

function normal(value: Json): Json {
  if (typeof value === 'string') return value === '' ? null : wholeTime(value.replaceAll('\r\n', '\n'));
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(normal);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, normal(member)] as const);
  const filled = members.filter(([, member]) => member !== null);
  return filled.length === 0 ? null : Object.fromEntries(filled);
}

function wholeTime(text: string): string {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? `${text}:00` : text;
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
