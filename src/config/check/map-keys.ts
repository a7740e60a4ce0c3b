import { attributeMistake } from '../../core/attribute-names.ts';
import { readOnlyAttributes, standardAttributes } from '../../core/attributes.ts';
import type { Resource } from '../../core/record.ts';
import type { Issue } from './validate.ts';

/** The sections of a sync file that name attributes, as the file has them, so nothing in them is certain. */
interface MapContext {
  resource: Resource;
  map: unknown;
  attachments: unknown;
  authority: unknown;
  adopt: unknown;
  missing: unknown;
  /** Layout key that feedferry fills itself. */
  externalId?: string;
}

/** Judges the names of the attributes in a sync: standard, custom, or a mistake. */
export function checkAttributeNames(context: MapContext): Issue[] {
  const { resource, map, attachments, authority, adopt, missing, externalId } = context;
  const mapped = keysOf(map);
  const issues: Issue[] = [];
  const blame = (path: Issue['path'], part: Issue['part'], message: string | undefined) => {
    if (message) issues.push({ path, part, message });
  };
  for (const name of mapped) {
    blame(['map', name], 'key', attributeMistake(name, resource, externalId));
    blame(['map', name], 'value', ruleMistake(name, resource, valueAt(map, name)));
  }
  for (const name of keysOf(attachments)) {
    blame(['attachments', name], 'key', attachmentMistake(name, resource, mapped, externalId));
  }
  for (const name of keysOf(authority)) {
    blame(['authority', name], 'key', storedMistake(name, resource, ['time'], externalId));
  }
  for (const name of keysOf(valueAt(missing, 'set'))) {
    blame(['missing', 'set', name], 'key', markMistake(name, resource, valueAt(authority, name), externalId));
  }
  const match = valueAt(adopt, 'match');
  for (const [index, name] of (Array.isArray(match) ? match : []).entries()) {
    const mistake = storedMistake(String(name), resource, ['time.start', 'time.end'], externalId);
    blame(['adopt', 'match', index], 'value', mistake);
  }
  return issues;
}

function ruleMistake(name: string, resource: Resource, rule: unknown): string | undefined {
  const isPassword = resource === 'accounts' && name === 'password';
  if (!isPassword && valueAt(rule, 'generate') !== undefined) return 'has generate, which is for passwords of accounts';
  if (isPassword && valueAt(rule, 'value') !== undefined) return 'would be the same password for every account';
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

/** A mark is written as it stands: of parts of an attribute nobody knows what becomes of the others. */
function markMistake(
  name: string,
  resource: Resource,
  authority: unknown,
  externalId: string | undefined,
): string | undefined {
  if (resource === 'accounts' && name === 'password') return 'is sent in the create alone';
  if (name.includes('.') || (resource === 'events' && shorthands.includes(name))) return 'must be a whole attribute';
  if (authority === 'editor' || authority === 'initial') return 'is left to the editors of the CMS (authority)';
  return attributeMistake(name, resource, externalId);
}

const shorthands = ['start', 'end', 'allDay'];

/** Sections that look at what the CMS has: shorthands are only there in maps, and `time` is one attribute of three parts. */
function storedMistake(
  name: string,
  resource: Resource,
  timeParts: readonly string[],
  externalId: string | undefined,
): string | undefined {
  if (resource === 'accounts' && name === 'password') return 'is sent in the create alone, and never read back';
  if (resource !== 'events') return attributeMistake(name, resource, externalId);
  if (timeParts.includes(name)) return undefined;
  const isTime = shorthands.includes(name) || name === 'time' || name.startsWith('time.');
  return isTime
    ? `is not what the CMS stores: name date, endDate, ${timeParts.join(' or ')}`
    : attributeMistake(name, resource, externalId);
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function valueAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
