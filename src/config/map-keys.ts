import { readOnlyAttributes, standardAttributes } from '../core/attributes.ts';
import type { Resource } from '../core/record.ts';

import { didYouMean, nearest } from './suggest.ts';
import type { Issue } from './validate.ts';

/** What the keys of `map` and `attachments` are judged by. Taken from the file as it is, so nothing in it is certain. */
interface MapContext {
  resource: Resource;
  map: unknown;
  attachments: unknown;
  /** Layout key that feedferry fills itself. */
  externalId?: string;
}

/** Judges the names of the attributes that a sync sets: standard, custom, or a mistake. */
export function checkAttributeNames({ resource, map, attachments, externalId }: MapContext): Issue[] {
  const mapped = keysOf(map);
  const attached = keysOf(attachments);
  const issues: Issue[] = [];
  const blame = (section: string, name: string, message: string | undefined) => {
    if (message) issues.push({ path: [section, name], part: 'key', message });
  };
  for (const name of mapped) blame('map', name, mapMistake(name, resource, externalId));
  for (const name of attached) blame('attachments', name, attachmentMistake(name, resource, mapped, externalId));
  return issues;
}

function mapMistake(name: string, resource: Resource, externalId: string | undefined): string | undefined {
  const writable = Object.keys(standardAttributes[resource]);
  const readOnly = readOnlyAttributes[resource];
  if (writable.includes(name)) return undefined;
  if (readOnly.includes(name)) return 'is read-only: the CMS makes it itself';
  if (name === externalId) return 'is filled by feedferry (target.externalId)';
  if (resource === 'accounts' && name.toLowerCase() === 'password') return 'passwords are not supported yet';
  if (resource === 'events' && name === 'time')
    return 'has parts: map time.start, time.end, or the shorthands start, end';
  if (nearest(name, writable)) return `is not an attribute of ${resource}${didYouMean(name, writable)}`;
  if (/[.[\]\s]/.test(name)) return 'is not an attribute; a custom layout key has no dots, brackets or spaces';
  return undefined;
}

function attachmentMistake(
  name: string,
  resource: Resource,
  mapped: readonly string[],
  externalId: string | undefined,
): string | undefined {
  const writable = Object.keys(standardAttributes[resource]);
  const readOnly = readOnlyAttributes[resource];
  if (resource !== 'events') return 'only events have attachments';
  if (writable.includes(name) || readOnly.includes(name)) return 'is a standard attribute, which holds no file';
  if (mapped.includes(name)) return 'is in map as well; an attribute is either mapped or a file';
  if (name === externalId) return 'is filled by feedferry (target.externalId)';
  return undefined;
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
