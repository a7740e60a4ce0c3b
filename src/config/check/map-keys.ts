import { attributeMistake } from '../../core/attribute-names.ts';
import { readOnlyAttributes, shorthands, standardAttributes } from '../../core/attributes.ts';
import type { AnyConnector } from '../../core/connector.ts';
import { isObject, type Resource } from '../../core/record.ts';
import type { Issue } from './validate.ts';

/** The sections of a sync file that name attributes, as written in the file and not checked yet. */
interface Sections extends Partial<Record<'map' | 'attachments' | 'authority' | 'adopt' | 'missing', unknown>> {
  resource: Resource;
  /** The map of the connector, which `map` overrides. */
  defaultMap?: AnyConnector['defaultMap'];
  /** Layout key that feedferry itself sets. */
  externalId?: string;
}

/** Checks the names of the attributes in a sync: both standard and custom attributes are allowed. */
export function checkAttributeNames(sections: Sections): Issue[] {
  const { resource, map, attachments, authority, adopt, missing, externalId } = sections;
  const issues: Issue[] = [];
  const report = (path: Issue['path'], part: Issue['part'], message: string | undefined) => {
    if (message) issues.push({ path, part, message });
  };
  for (const name of keysOf(map)) {
    report(['map', name], 'key', attributeMistake(name, resource, externalId) ?? otherName(name, sections));
    report(['map', name], 'value', ruleMistake(name, sections));
  }
  for (const name of keysOf(attachments)) report(['attachments', name], 'key', attachmentMistake(name, sections));
  for (const name of keysOf(authority)) report(['authority', name], 'key', storedMistake(name, ['time'], sections));
  for (const name of keysOf(valueAt(missing, 'set'))) {
    report(['missing', 'set', name], 'key', markMistake(name, sections));
  }
  const match = valueAt(adopt, 'match');
  for (const [index, name] of (Array.isArray(match) ? match : []).entries()) {
    report(['adopt', 'match', index], 'value', storedMistake(String(name), ['time.start', 'time.end'], sections));
  }
  return issues;
}

/** Attributes of events by the names that other programs use. */
const otherNames = new Map([
  ['startdate', 'start'],
  ['starttime', 'time.start'],
  ['endtime', 'time.end'],
  ['dtstart', 'start'],
  ['dtend', 'end'],
]);

/** Returns a hint if a map has no date and a name that other programs use for dates: probably no custom attribute is meant. */
function otherName(name: string, { resource, map, defaultMap }: Sections): string | undefined {
  const meant = resource === 'events' ? otherNames.get(name.toLowerCase()) : undefined;
  const hasDate = [...keysOf(map), ...keysOf(defaultMap)].some((known) => known === 'start' || known === 'date');
  return meant && !hasDate ? `is not an attribute of events; did you mean "${meant}"?` : undefined;
}

function ruleMistake(name: string, { resource, map }: Sections): string | undefined {
  const rule = valueAt(map, name);
  const isPassword = isPasswordOf(resource, name);
  if (!isPassword && valueAt(rule, 'generate') !== undefined) {
    return 'has generate, which is only allowed for the password of accounts';
  }
  if (isPassword && valueAt(rule, 'value') !== undefined) return 'would give every account the same password';
  return undefined;
}

function attachmentMistake(name: string, { resource, map, externalId }: Sections): string | undefined {
  const standard = [...Object.keys(standardAttributes[resource]), ...readOnlyAttributes[resource]];
  if (resource !== 'events') return 'cannot be set: only events have attachments';
  if (standard.includes(name)) return 'is a standard attribute, which cannot hold a file';
  if (keysOf(map).includes(name)) return 'is also in map; an attribute is either mapped or a file';
  if (name === externalId) return 'is set by feedferry (target.externalId)';
  return undefined;
}

/** Returns why an attribute cannot be set on missing records. Parts cannot, because the other parts would be undefined. */
function markMistake(name: string, { resource, authority, externalId }: Sections): string | undefined {
  if (isPasswordOf(resource, name)) return 'is only sent when an account is created';
  if (name.includes('.') || (resource === 'events' && Object.hasOwn(shorthands, name))) {
    return 'must be a whole attribute, not a part or a shorthand';
  }
  const owner = valueAt(authority, name);
  if (owner === 'editor' || owner === 'initial') return 'belongs to the editors of the CMS (authority)';
  return attributeMistake(name, resource, externalId);
}

/** Returns why an attribute cannot be compared with the CMS. The CMS does not store shorthands, and stores `time` in parts. */
export function storedMistake(
  name: string,
  timeParts: readonly string[],
  sections: Pick<Sections, 'resource' | 'externalId'>,
): string | undefined {
  const { resource, externalId } = sections;
  if (isPasswordOf(resource, name)) return 'is only sent when an account is created, and cannot be read back';
  if (resource === 'events' && timeParts.includes(name)) return undefined;
  const isTime = Object.hasOwn(shorthands, name) || name === 'time' || name.startsWith('time.');
  return resource === 'events' && isTime
    ? `is not stored by the CMS; use date, endDate, ${timeParts.join(' or ')}`
    : attributeMistake(name, resource, externalId);
}

function isPasswordOf(resource: Resource, name: string): boolean {
  return resource === 'accounts' && name === 'password';
}

function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function valueAt(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}
