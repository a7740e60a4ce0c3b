import { readOnlyAttributes, standardAttributes } from './attributes.ts';
import type { Resource } from './record.ts';
import { didYouMean, nearest } from './suggest.ts';

/**
 * Why an attribute cannot be set by a sync, worded to follow its name; undefined where it can: it is standard, or a custom
 * one. A name that is nearly a standard one counts as a mistake.
 * @param externalId layout key that feedferry fills itself.
 */
export function attributeMistake(name: string, resource: Resource, externalId?: string): string | undefined {
  const writable = Object.keys(standardAttributes[resource]);
  if (writable.includes(name) || (resource === 'accounts' && name === 'password')) return undefined;
  if (readOnlyAttributes[resource].includes(name)) return 'is read-only: the CMS makes it itself';
  if (name === externalId) return 'is filled by feedferry (target.externalId)';
  if (resource === 'events' && name === 'time')
    return 'has parts: map time.start, time.end, or the shorthands start, end';
  const known = resource === 'accounts' ? [...writable, 'password'] : writable;
  if (nearest(name, known)) return `is not an attribute of ${resource}${didYouMean(name, known)}`;
  if (/[.[\]\s]/.test(name)) return 'is not an attribute; a custom layout key has no dots, brackets or spaces';
  return undefined;
}
