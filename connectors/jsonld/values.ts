import { isObject } from '../../src/core/record.ts';
import type { Node } from './vocabulary.ts';

/** Returns text, a number, a typed or tagged literal (`{ "@value": … }`), or the first of several of these. */
export function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return textOf(value[0]);
  if (isObject(value)) return textOf(value['@value'] ?? value.name);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

/** Returns the different texts of a property: of a list, of a set, or of a text in several languages. */
export function literalsOf(value: unknown): string[] {
  return [...new Set(itemsOf(value).flatMap((item) => textOf(item) ?? []))];
}

function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(itemsOf);
  if (!isObject(value)) return [value];
  const several = value['@set'] ?? value['@list'];
  if (several !== undefined) return itemsOf(several);
  return isLanguageMap(value) ? Object.values(value) : [value];
}

/** Returns true for `{ "en": "Market", "fr": "Marché" }` (JSON-LD 1.1, 4.6.2). */
function isLanguageMap(value: Node): boolean {
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^(@none|[a-z]{2}(-[A-Za-z0-9]+)*)$/.test(name));
}
