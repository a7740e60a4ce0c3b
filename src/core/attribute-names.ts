import { readOnlyAttributes, standardAttributes } from './attributes.ts';
import type { Resource } from './record.ts';
import { didYouMean, nearest } from './suggest.ts';

/**
 * Returns why a sync cannot set an attribute, worded to follow the attribute's name; undefined for a standard or custom
 * attribute. A name that is nearly a standard one counts as a mistake.
 * @param externalId layout key that feedferry sets itself
 */
export function attributeMistake(name: string, resource: Resource, externalId?: string): string | undefined {
  const writable = Object.keys(standardAttributes[resource]);
  const known = resource === 'accounts' ? [...writable, 'password'] : writable;
  if (known.includes(name)) return undefined;
  if (readOnlyAttributes[resource].includes(name)) return 'is read-only: the CMS sets it';
  if (name === externalId) return 'is set by feedferry (target.externalId)';
  if (resource === 'events' && name === 'time') {
    return 'must be mapped by its parts: time.start, time.end, or the shorthands start, end';
  }
  if (nearest(name, known)) return `is not an attribute of ${resource}${didYouMean(name, known)}`;
  if (/[.[\]\s]/.test(name))
    return 'is not an attribute: layout keys of custom attributes have no dots, brackets or spaces';
  return undefined;
}
