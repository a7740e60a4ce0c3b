import { basename, dirname, extname, resolve } from 'node:path';
import type { AnyConnector } from '../core/connector.ts';
import { isObject } from '../core/record.ts';
import { checkAttributeNames } from './check/map-keys.ts';
import { type Issue, type Validated, validate } from './check/validate.ts';
import type { ConfigFile } from './files/config-file.ts';
import { sourceFile, sourceKeys } from './schema/source-schema.ts';
import { syncFile } from './schema/sync-schema.ts';
import type { SyncConfig, TargetConfig } from './types.ts';

interface SyncContext {
  connectors: readonly AnyConnector[];
  /** Undefined if feedferry.yaml has mistakes; its syncs are checked all the same. */
  target: TargetConfig | undefined;
}

/** Returns the name of a sync: that of its file, without the extension. */
export function syncName(file: string): string {
  return basename(file, extname(file));
}

/** Checks the content of a sync file. */
export function loadSync(
  { value, file: name, scriptHash }: Pick<ConfigFile, 'value' | 'file' | 'scriptHash'>,
  { connectors, target }: SyncContext,
): Validated<SyncConfig> {
  const file = resolve(name);
  const { plain, mapFunction } = withoutFunction(value);
  const shape = validate(syncFile(file, target?.timezone ?? 'UTC'), plain);
  if (!isObject(plain)) return { data: undefined, issues: shape.issues };
  const source = loadSource(plain.source, file, connectors);
  const issues = [...shape.issues, ...source.issues, ...checkTogether(plain, target)];
  if (issues.length > 0 || !shape.data || !source.data) return { data: undefined, issues };
  const data = { ...shape.data, scriptHash, mapFunction, name: syncName(file), file, source: source.data };
  return { data, issues: [] };
}

/** Takes the map function out, because the schema is that of YAML files. */
function withoutFunction(value: unknown): { plain: unknown; mapFunction?: SyncConfig['mapFunction'] } {
  if (!isObject(value) || typeof value.map !== 'function') return { plain: value };
  const { map, ...plain } = value;
  return { plain, mapFunction: map as SyncConfig['mapFunction'] };
}

/** Checks `source`: its shared keys, and all others as options of the connector. */
function loadSource(value: unknown, file: string, connectors: readonly AnyConnector[]) {
  const kinds = connectors.map(({ kind }) => kind);
  const shared = Object.keys(sourceKeys(kinds, '.').shape);
  const [given, options] = isObject(value) ? split(value, shared) : [value, {}];
  const own = validate(sourceFile(kinds, dirname(file)), given, ['source']);
  const connector = connectors.find(({ kind }) => isObject(given) && kind === given.connector);
  if (!connector) return { data: undefined, issues: own.issues };
  const its = validate(connector.options, options, ['source'], shared);
  return { data: own.data && { ...own.data, options: its.data }, issues: [...own.issues, ...its.issues] };
}

function split(value: Record<string, unknown>, keys: readonly string[]): Array<Record<string, unknown>> {
  const isNamed = ([key]: [string, unknown]) => keys.includes(key);
  const entries = Object.entries(value);
  return [entries.filter(isNamed), entries.filter((entry) => !isNamed(entry))].map((part) => Object.fromEntries(part));
}

/** Checks keys against each other, as they are in the file, so also when some of them have mistakes. */
function checkTogether(value: Record<string, unknown>, target: TargetConfig | undefined): Issue[] {
  const { resource } = value;
  if (resource !== 'events' && resource !== 'accounts') return [];
  const forEventsOnly = resource === 'events' ? [] : ['instance', 'window', 'timeTypes'].filter((key) => key in value);
  return [
    ...checkAttributeNames({ ...value, resource, externalId: target?.externalId }),
    ...forEventsOnly.map((key): Issue => ({ path: [key], part: 'key', message: 'is only allowed for events' })),
  ];
}
