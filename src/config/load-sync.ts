import { basename, dirname, extname, resolve } from 'node:path';
import type { AnyConnector } from '../core/connector.ts';
import { checkAttributeNames } from './check/map-keys.ts';
import { type Issue, validate } from './check/validate.ts';
import type { ConfigFile } from './files/config-file.ts';
import { sourceFile, sourceKeys } from './schema/source-schema.ts';
import { syncFile } from './schema/sync-schema.ts';
import type { SyncConfig, TargetConfig } from './types.ts';

interface SyncContext {
  connectors: readonly AnyConnector[];
  /** Undefined where feedferry.yaml is wrong; its syncs are checked all the same. */
  target: TargetConfig | undefined;
}

/** The name of a sync: that of its file, without the ending. */
export function syncName(file: string): string {
  return basename(file, extname(file));
}

/** Checks a sync file. `sync` is undefined where there are issues. */
export function loadSync(
  { value, file: name, scriptHash }: ConfigFile,
  context: SyncContext,
): { sync: SyncConfig | undefined; issues: Issue[] } {
  const file = resolve(name);
  const { plain, mapFunction } = withoutFunction(value);
  const shape = validate(syncFile(file, context.target?.timezone ?? 'UTC'), plain);
  if (!isMapping(plain)) return { sync: undefined, issues: shape.issues };
  const source = loadSource(plain.source, file, context.connectors);
  const issues = [...shape.issues, ...source.issues, ...checkTogether(plain, context.target)];
  const script = { ...(scriptHash && { scriptHash }), ...(mapFunction && { mapFunction }) };
  const sync = shape.data &&
    source.data && { ...shape.data, ...script, name: syncName(file), file, source: source.data };
  return { sync, issues };
}

/** The schema is that of YAML files, which have no functions. */
function withoutFunction(value: unknown): { plain: unknown; mapFunction?: SyncConfig['mapFunction'] } {
  if (!isMapping(value) || typeof value.map !== 'function') return { plain: value };
  const { map, ...plain } = value;
  return { plain, mapFunction: map as SyncConfig['mapFunction'] };
}

/** The keys of `source` that are not shared are the connector's. */
function loadSource(value: unknown, file: string, connectors: readonly AnyConnector[]) {
  const kinds = connectors.map(({ kind }) => kind);
  const shared = Object.keys(sourceKeys(kinds, '.').shape);
  const [given, options] = isMapping(value) ? split(value, shared) : [value, {}];
  const own = validate(sourceFile(kinds, dirname(file)), given, { at: ['source'] });
  const connector = connectors.find(({ kind }) => isMapping(given) && kind === given.connector);
  if (!connector) return { data: undefined, issues: own.issues };
  const its = validate(connector.options, options, { at: ['source'], alsoKnown: shared });
  return { data: own.data && { ...own.data, options: its.data }, issues: [...own.issues, ...its.issues] };
}

function split(value: Record<string, unknown>, keys: readonly string[]): Array<Record<string, unknown>> {
  const isNamed = ([key]: [string, unknown]) => keys.includes(key);
  const entries = Object.entries(value);
  return [entries.filter(isNamed), entries.filter((entry) => !isNamed(entry))].map((part) => Object.fromEntries(part));
}

/** What only several keys show together. Reads the file as it is, so that it is checked even where keys are wrong. */
function checkTogether(value: Record<string, unknown>, target: TargetConfig | undefined): Issue[] {
  const { resource, map, attachments, authority, adopt, missing } = value;
  if (resource !== 'events' && resource !== 'accounts') return [];
  const forEventsOnly = resource === 'events' ? [] : ['instance', 'window', 'timeTypes'].filter((key) => key in value);
  return [
    ...checkAttributeNames({ resource, map, attachments, authority, adopt, missing, externalId: target?.externalId }),
    ...forEventsOnly.map((key): Issue => ({ path: [key], part: 'key', message: 'is for events only' })),
  ];
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
