import type { AnyConnector } from '../core/connector.ts';
import { isObject } from '../core/record.ts';
import { checkAttributeNames } from './check/map-keys.ts';
import { checkRules } from './check/rules.ts';
import type { TargetSecrets } from './check/target-secrets.ts';
import { type Issue, type Validated, validate } from './check/validate.ts';
import { duration } from './schema/scalars.ts';
import { sourceFile } from './schema/source-schema.ts';
import { syncFile } from './schema/sync-schema.ts';
import type { SyncConfig, TargetConfig } from './types.ts';

/** What the checks of a sync file need. `target` is undefined if feedferry.yaml has mistakes. */
export interface LoadContext {
  connectors: readonly AnyConnector[];
  target: TargetConfig | undefined;
  secrets: TargetSecrets;
  /** Whether feedferry.yaml has a mail server; undefined: unknown. */
  canMail?: boolean | undefined;
  schemas: ReturnType<typeof syncSchemas>;
}

/** What a sync has besides the keys of its file. */
export type SyncOrigin = Pick<SyncConfig, 'name' | 'file' | 'scriptHash'>;

/** Creates the schemas of the sync files in a folder, which takes longer than checking a file with them. */
export function syncSchemas(folder: string, connectors: readonly AnyConnector[], target: TargetConfig | undefined) {
  const kinds = connectors.map(({ kind }) => kind);
  return { sync: syncFile(folder, target?.timezone ?? 'UTC'), source: sourceFile(kinds, folder) };
}

/** Checks the content of a sync file with one source. */
export function loadOne(
  value: unknown,
  origin: SyncOrigin,
  { connectors, target, schemas }: LoadContext,
): Validated<SyncConfig> {
  const { plain, mapFunction } = withoutFunction(withDefaultKey(value, connectors));
  const shape = validate(schemas.sync, plain);
  if (!isObject(plain)) return { data: undefined, issues: shape.issues };
  const source = loadSource(plain.source, connectors, schemas.source);
  const issues = [
    ...shape.issues,
    ...source.issues,
    ...checkTogether(plain, origin.name, connectorOf(plain.source, connectors), target),
  ];
  if (!shape.data || !source.data) return { data: undefined, issues };
  const sync = { ...shape.data, ...origin, mapFunction, source: source.data };
  issues.push(...checkRules(sync.rules, [sync], plain.rules, { connectors, target }));
  return issues.length > 0 ? { data: undefined, issues } : { data: sync, issues: [] };
}

/** Adds the key of the connector to a sync without one. */
function withDefaultKey(value: unknown, connectors: readonly AnyConnector[]): unknown {
  if (!isObject(value) || value.key !== undefined) return value;
  const key = connectorOf(value.source, connectors)?.defaultKey;
  return key === undefined ? value : { ...value, key };
}

function connectorOf(source: unknown, connectors: readonly AnyConnector[]): AnyConnector | undefined {
  return connectors.find(({ kind }) => isObject(source) && kind === source.connector);
}

/** Separates the map function from the other keys, because the schema is for YAML files, which have no functions. */
export function withoutFunction(value: unknown): { plain: unknown; mapFunction?: SyncConfig['mapFunction'] } {
  if (!isObject(value) || typeof value.map !== 'function') return { plain: value };
  const { map, ...plain } = value;
  return { plain, mapFunction: map as SyncConfig['mapFunction'] };
}

/** Checks `source`: the keys that all connectors share, and all other keys as options of the connector. */
function loadSource(value: unknown, connectors: readonly AnyConnector[], schema: ReturnType<typeof sourceFile>) {
  const shared = Object.keys(schema.in.shape);
  const [given, options] = isObject(value) ? split(value, shared) : [value, {}];
  const own = validate(schema, given, ['source']);
  const connector = connectorOf(given, connectors);
  if (!connector) return { data: undefined, issues: own.issues };
  const its = validate(connector.options, options, ['source'], shared);
  return { data: own.data && { ...own.data, options: its.data }, issues: [...own.issues, ...its.issues] };
}

function split(value: Record<string, unknown>, keys: readonly string[]): Array<Record<string, unknown>> {
  const isNamed = ([key]: [string, unknown]) => keys.includes(key);
  const entries = Object.entries(value);
  return [entries.filter(isNamed), entries.filter((entry) => !isNamed(entry))].map((part) => Object.fromEntries(part));
}

/** Checks whether keys go together. Reads them as written in the file, so that mistakes in other keys do not matter. */
function checkTogether(
  value: Record<string, unknown>,
  name: string,
  connector: AnyConnector | undefined,
  target: TargetConfig | undefined,
): Issue[] {
  const { resource } = value;
  if (resource !== 'events' && resource !== 'accounts') return [];
  const forEventsOnly =
    resource === 'events'
      ? []
      : ['instance', 'window', 'timeTypes', 'attachmentsDir', 'recurrence'].filter((key) => key in value);
  return [
    ...(value.attachmentsDir !== undefined && isRemote(value.source)
      ? [{ path: ['attachmentsDir'], part: 'key' as const, message: 'is only allowed for feeds that are files' }]
      : []),
    ...checkPartial(value),
    ...checkSpans(value),
    ...checkSchedule(value, name),
    ...checkAttributeNames({ ...value, resource, defaultMap: connector?.defaultMap, externalId: target?.externalId }),
    ...forEventsOnly.map((key): Issue => ({ path: [key], part: 'key', message: 'is only allowed for events' })),
  ];
}

/** Whether a source, as written in the file, is read from the network. */
export function isRemote(source: unknown): boolean {
  return isObject(source) && /^(https?|webcals?):/i.test(String(source.url));
}

/** Checks `missing` for feeds of changes: such a feed cannot prove that a record is missing, so a policy never applies. */
function checkPartial({ source, missing }: Record<string, unknown>): Issue[] {
  const isIdle = isObject(source) && source.partial === true && source.deleted === undefined;
  if (!isIdle || !isObject(missing) || missing.policy === 'keep') return [];
  const message = 'has no effect on a partial feed without source.deleted: nothing counts as missing';
  return [{ path: ['missing'], part: 'key', message }];
}

/** Checks whether the days of an event can be read together. */
function checkSpans({ source, recurrence }: Record<string, unknown>): Issue[] {
  if (recurrence === undefined || !isObject(source) || source.partial !== true) return [];
  return [{ path: ['recurrence'], part: 'key', message: 'needs a feed that has all days, not a partial one' }];
}

/** Checks that the runs of a schedule can read the feed, and that an alert about stale data can end. */
function checkSchedule({ source, schedule, alerts }: Record<string, unknown>, sync: string): Issue[] {
  if (schedule === undefined || schedule === null) return [];
  if (isObject(source) && source.url === '-') {
    const message = `cannot read standard input, which only a command has. Remove it and run \`feedferry sync ${sync} < FILE\`, or let source.url name a file or an address`;
    return [{ path: ['schedule'], part: 'key', message }];
  }
  const everyMs = durationOf(schedule, 'every');
  const staleMs = durationOf(alerts, 'staleAfter');
  if (everyMs === undefined || staleMs === undefined || staleMs >= everyMs) return [];
  const message = 'is shorter than schedule.every, so the alert would be sent after every run';
  return [{ path: ['alerts', 'staleAfter'], part: 'value', message }];
}

function durationOf(value: unknown, key: string): number | undefined {
  return isObject(value) ? duration.safeParse(value[key]).data : undefined;
}
