import type { Condition, FieldRule, SyncConfig } from '../config/types.ts';
import { kindOf, standardAttributes } from '../core/attributes.ts';
import type { AnyConnector } from '../core/connector.ts';
import { isObject, type SourceRecord } from '../core/record.ts';
import { nearest } from '../core/suggest.ts';
import { withoutSecretFields } from '../core/text/secret-names.ts';
import { hasNoValue } from './coerce.ts';
import { formatsOf } from './dates.ts';
import { compilePath, firstSegment } from './path.ts';
import { templateFields } from './template.ts';

/** More names than a person reads. A feed may use values as names. */
const MOST_UNMAPPED = 50;
const MOST_NAMES = 1000;

/**
 * Collects the names of fields from the records that are added.
 * @returns `names`: the names of all fields; `unmapped`: fields that have a value but are not used by the sync, each with its
 * first value. Empty for a map function, because it is unknown which fields the function reads; `isUsed`: whether the sync
 * certainly reads a field
 */
export function collectFields(sync: SyncConfig, { defaultMap, captions = {}, ownFields }: AnyConnector) {
  const names = new Set<string>();
  const unmapped = new Map<string, unknown>();
  const byRule = Object.values(rulesOf(sync, defaultMap)).flatMap(({ field }) => field ?? []);
  const byFile = Object.values(sync.attachments).flatMap(({ field = '', alt }) => (alt ? [] : (captions[field] ?? [])));
  const used = new Set([...mappedFields(sync, defaultMap), ...[...byRule, ...byFile].map(firstSegment)]);
  const isUsed = (name: string) => used.has(firstSegment(name));
  const mayBeUsed = (name: string) => sync.mapFunction !== undefined || ownFields?.test(name) || isUsed(name);
  const judged = new Set(used);
  return { names, unmapped, add, isUsed };

  function add(fields: SourceRecord['fields']): void {
    for (const name of Object.keys(fields)) {
      if (names.size < MOST_NAMES && !names.has(name)) addName(name, fields[name]);
      if (judged.has(name) || unmapped.size >= MOST_UNMAPPED || hasNoValue(fields[name])) continue;
      judged.add(name);
      if (!mayBeUsed(name)) unmapped.set(name, withoutSecretFields({ [name]: fields[name] })[name]);
    }
  }

  function addName(name: string, value: unknown): void {
    names.add(name);
    if (!isObject(value)) return;
    for (const inner of Object.keys(value)) if (names.size < MOST_NAMES) names.add(`${name}.${inner}`);
  }
}

/**
 * Returns which of the fields in a sync file are not among these names, each with the attribute that takes the field, and with
 * the name that was probably meant.
 */
export function missingFields(sync: SyncConfig, names: readonly string[]): string[] {
  const present = new Set([...names, ...names.map(firstSegment)]);
  const missing = [...mappedFields(sync)].filter((field) => !present.has(field));
  return missing.map((field) => `"${field}"${usesOf(sync, field)}${meantBy(field, names)}`);
}

/** Returns the place where a sync file names a field: ` of map.email`. */
function usesOf({ key, map = {} }: SyncConfig, field: string): string {
  const attributes = Object.keys(map).filter((name) => map[name]?.field && firstSegment(map[name].field) === field);
  const uses = [
    ...(key.fields.some((name) => firstSegment(name) === field) ? ['key'] : []),
    ...attributes.map((name) => `map.${name}`),
  ];
  return uses.length === 0 ? '' : ` of ${uses.join(', ')}`;
}

function meantBy(field: string, names: readonly string[]): string {
  const inner = names.find((name) => name.toLowerCase().endsWith(`.${field.toLowerCase()}`));
  const meant = nearest(field, names) ?? inner;
  return meant === undefined ? '' : ` (did you mean "${meant}"?)`;
}

/**
 * Returns the fields of a source record that a sync certainly reads: those at the start of a path in rules, key, condition and
 * attachments. Fields that map by name are optional, and the fields of map functions are unknown.
 */
export function mappedFields(sync: SyncConfig, defaultMap?: Readonly<Record<string, string>>): Set<string> {
  const rules = Object.values(sync.map || (defaultMap && !sync.mapFunction) ? rulesOf(sync, defaultMap) : {});
  const files = Object.values(sync.attachments);
  return new Set([
    ...[
      ...sync.key.fields,
      ...fieldsOf(sync.when),
      ...fieldsOf(sync.source.deleted),
      ...files.flatMap((file) => [file.field ?? [], file.default?.field ?? []].flat()),
    ].map(firstSegment),
    ...[...rules, ...files.flatMap(({ alt }) => alt ?? [])].flatMap(({ field, template }) => [
      ...(field === undefined ? [] : [firstSegment(field)]),
      ...(template === undefined ? [] : templateFields(template)),
    ]),
  ]);
}

/** Returns the sync's map merged over the connector's map; if both are absent, attributes map by name. */
export function rulesOf(
  sync: SyncConfig,
  defaultMap: Readonly<Record<string, string>> | undefined,
): Record<string, FieldRule> {
  if (!sync.map && !defaultMap) {
    return Object.fromEntries(Object.keys(standardAttributes[sync.resource]).map((name) => [name, { field: name }]));
  }
  const defaults = Object.entries(defaultMap ?? {}).map(([attribute, field]) => [attribute, { field }]);
  return { ...Object.fromEntries(defaults), ...sync.map };
}

function fieldsOf({ field, all = [], any = [], not }: Condition = {}): string[] {
  const nested = [...all, ...any, ...(typeof not === 'object' && !Array.isArray(not) ? [not] : [])];
  return [...(field === undefined ? [] : [field]), ...nested.flatMap((condition) => fieldsOf(condition))];
}

/** Collects the dates of rejected records, and returns the rules to write, with the formats that fit most of them. */
export function collectDates({ map = {}, resource }: SyncConfig) {
  const columns = Object.entries(map).flatMap(([attribute, { field, format }]) => {
    if (field === undefined || format !== undefined) return [];
    const kind = kindOf(resource, attribute);
    return [{ attribute, field, kind, read: compilePath(field), values: 0, fits: new Map<string, number>() }];
  });
  return { add, rules };

  function add(fields: SourceRecord['fields']): void {
    for (const column of columns) {
      const value = column.read(fields);
      if (typeof value !== 'string' || hasNoValue(value)) continue;
      column.values += 1;
      for (const format of formatsOf(value, column.kind)) column.fits.set(format, (column.fits.get(format) ?? 0) + 1);
    }
  }

  function rules(): string[] {
    return columns.flatMap(({ attribute, field, values, fits }) => {
      const most = Math.max(0, ...fits.values());
      const formats = [...fits].flatMap(([format, count]) => (count === most ? [`"${format}"`] : []));
      const rule = `${attribute}: { field: ${JSON.stringify(field)}, format: ${formats.slice(0, 2).join(' or ')} }`;
      return most === 0 ? [] : [`write ${rule} (fits ${most} of ${values} values)`];
    });
  }
}
