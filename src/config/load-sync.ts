import { basename, dirname, extname, resolve } from 'node:path';
import type { z } from 'zod';
import type { MapFunction, SourceConfig, SyncConfig, TargetConfig } from '../core/config.ts';
import type { AnyConnector } from '../core/connector.ts';
import { checkAttributeNames } from './check/map-keys.ts';
import { type Issue, validate } from './check/validate.ts';
import type { ConfigFile } from './files/config-file.ts';
import { sourceSchema } from './schema/source-schema.ts';
import { syncFile } from './schema/sync-schema.ts';

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
function withoutFunction(value: unknown): { plain: unknown; mapFunction?: MapFunction } {
  if (!isMapping(value) || typeof value.map !== 'function') return { plain: value };
  const { map, ...plain } = value;
  return { plain, mapFunction: map as MapFunction };
}

/** The keys of `source` that are not feedferry's own are the connector's. */
function loadSource(value: unknown, file: string, connectors: readonly AnyConnector[]) {
  const schema = sourceSchema(
    connectors.map(({ kind }) => kind),
    dirname(file),
  );
  const own = validate(schema, value, { at: ['source'] });
  const connector = isMapping(value) && connectors.find(({ kind }) => kind === value.connector);
  if (!isMapping(value) || !connector) return { data: undefined, issues: own.issues };

  const ownKeys = Object.keys(schema.shape);
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !ownKeys.includes(key)));
  const options = validate(connector.options, rest, { at: ['source'], alsoKnown: ownKeys });
  return {
    data: own.data && sourceConfig(own.data, options.data),
    issues: [...own.issues, ...options.issues],
  };
}

function sourceConfig(own: z.output<ReturnType<typeof sourceSchema>>, options: unknown): SourceConfig {
  const { encoding, maxBytes, maxRatio, timeout: timeoutMs, retries, member, allowPrivateNetwork } = own;
  const { connector, url, timezone, headers, auth, query, body } = own;
  const method = own.method ?? (body === undefined ? undefined : 'POST');
  const limits = { encoding, maxBytes, maxRatio, timeoutMs, retries, member, allowPrivateNetwork };
  return { connector, url, timezone, feed: { ...limits, headers, auth, query, method, body }, options };
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
