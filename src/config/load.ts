import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { AnyConnector } from '../core/connector.ts';
import { isObject } from '../core/record.ts';
import { checkAttributeNames } from './check/map-keys.ts';
import { checkFile } from './check/report.ts';
import { checkSchedule } from './check/schedule.ts';
import { type Issue, type Validated, validate } from './check/validate.ts';
import type { ConfigFile } from './files/config-file.ts';
import type { Variables } from './files/interpolate.ts';
import { ConfigError, type ConfigProblem } from './files/problems.ts';
import { readScriptFile } from './files/script-file.ts';
import { parseYaml, readYamlFile } from './files/yaml-file.ts';
import { sourceFile } from './schema/source-schema.ts';
import { syncFile } from './schema/sync-schema.ts';
import { targetFile } from './schema/target-schema.ts';
import type { Config, SyncConfig, TargetConfig } from './types.ts';

/**
 * Reads and checks a whole config folder, as `loadUsableConfig` does.
 * @throws ConfigError with all mistakes of all files
 */
export function loadConfig(dir: string, connectors: readonly AnyConnector[], env: Variables): Config {
  const config = loadUsableConfig(dir, connectors, env);
  if (config.broken.length > 0) throw new ConfigError(config.broken.flatMap(({ problems }) => problems));
  return config;
}

/**
 * Reads and checks a config folder: feedferry.yaml and syncs/*.yaml or *.ts. Sync files with mistakes do not affect other
 * syncs. The result is deep-frozen.
 * @param dir the folder; messages name the files below it with this prefix
 * @param connectors check the options in `source` with their schemas
 * @param env fills in `${NAME}` in the files
 * @throws ConfigError if feedferry.yaml has mistakes, with all mistakes of all files, each with its file, line and column:
 *   FF_CONFIG_MISSING, FF_CONFIG_YAML, FF_CONFIG_INVALID or FF_CONFIG_ENV
 */
export function loadUsableConfig(dir: string, connectors: readonly AnyConnector[], env: Variables): Config {
  const problems: ConfigProblem[] = [];
  const targetYaml = readYamlFile(join(dir, 'feedferry.yaml'), env);
  const settings = checkFile(targetYaml, (value) => validate(targetFile, value), problems);
  const schemas = syncSchemas(resolve(dir, 'syncs'), connectors, settings?.target);
  const syncs = new Map<string, SyncConfig>();
  const broken = new Map<string, ConfigProblem[]>();
  for (const file of findSyncFiles(dir, problems)) {
    const name = syncName(file);
    const mistakes = [...(broken.get(name) ?? []), ...nameProblems(file, syncs.has(name) || broken.has(name))];
    const source = file.endsWith('.ts') ? readScriptFile(file) : readYamlFile(file, env);
    const sync = checkFile(source, () => loadSync(source, connectors, settings?.target, schemas), mistakes);
    if (sync) syncs.set(name, sync);
    if (mistakes.length > 0) broken.set(name, mistakes);
  }
  if (problems.length > 0 || !settings) throw new ConfigError([...problems, ...[...broken.values()].flat()]);
  return deepFreeze({
    ...settings,
    dir: resolve(dir),
    syncs: [...syncs.values()].filter(({ name }) => !broken.has(name)),
    broken: [...broken].map(([name, problems]) => ({ name, problems })),
  });
}

function findSyncFiles(dir: string, problems: ConfigProblem[]): string[] {
  const folder = join(dir, 'syncs');
  const files = list(folder).filter((name) => /^[^.].*\.(ya?ml|ts)$/.test(name) && !name.endsWith('.d.ts'));
  const message = 'this folder has no sync file (*.yaml or *.ts)';
  if (files.length === 0) problems.push({ file: folder, line: 1, column: 1, code: 'FF_CONFIG_MISSING', message });
  return files.map((file) => join(folder, file));
}

/** Checks the name of a sync file. If two files have the same name, neither can be used. */
function nameProblems(file: string, isTaken: boolean): ConfigProblem[] {
  const name = syncName(file);
  const report = (message: string) => [{ file, line: 1, column: 1, code: 'FF_CONFIG_INVALID' as const, message }];
  if (!/^[\w.-]+$/.test(name)) {
    return report('the name of a sync file may only contain letters, digits, "-", "_" and "."');
  }
  return isTaken ? report(`another sync file has the same name, "${name}"`) : [];
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Returns the name of a sync: the name of its file without the extension. */
function syncName(file: string): string {
  return basename(file, extname(file));
}

/**
 * Checks the text of a sync file; the file need not exist.
 * @throws ConfigError with all mistakes of the text
 */
export function checkSyncText(
  file: string,
  text: string,
  connectors: readonly AnyConnector[],
  target: TargetConfig,
): SyncConfig {
  const problems: ConfigProblem[] = [];
  const source = parseYaml(file, text, {});
  const schemas = syncSchemas(resolve(dirname(file)), connectors, target);
  const sync = checkFile(source, () => loadSync(source, connectors, target, schemas), problems);
  if (!sync) throw new ConfigError(problems);
  return sync;
}

/**
 * Checks the text of a feedferry.yaml; the file need not exist.
 * @throws ConfigError with all mistakes of the text
 */
export function checkTargetText(file: string, text: string, env: Variables): TargetConfig {
  const problems: ConfigProblem[] = [];
  const settings = checkFile(parseYaml(file, text, env), (value) => validate(targetFile, value), problems);
  if (!settings) throw new ConfigError(problems);
  return settings.target;
}

/** Creates the schemas of the sync files in a folder, which takes longer than checking a file with them. */
function syncSchemas(folder: string, connectors: readonly AnyConnector[], target: TargetConfig | undefined) {
  const kinds = connectors.map(({ kind }) => kind);
  return { sync: syncFile(folder, target?.timezone ?? 'UTC'), source: sourceFile(kinds, folder) };
}

/** Checks the content of a sync file. `target` is undefined if feedferry.yaml has mistakes. */
function loadSync(
  { value, file: name, scriptHash }: ConfigFile,
  connectors: readonly AnyConnector[],
  target: TargetConfig | undefined,
  schemas: ReturnType<typeof syncSchemas>,
): Validated<SyncConfig> {
  const file = resolve(name);
  const { plain, mapFunction } = withoutFunction(withDefaultKey(value, connectors));
  const shape = validate(schemas.sync, plain);
  if (!isObject(plain)) return { data: undefined, issues: shape.issues };
  const source = loadSource(plain.source, connectors, schemas.source);
  const issues = [
    ...shape.issues,
    ...source.issues,
    ...checkTogether(plain, syncName(file), connectorOf(plain.source, connectors), target),
    ...checkFormerNames(shape.data, file),
  ];
  if (issues.length > 0 || !shape.data || !source.data) return { data: undefined, issues };
  const data = { ...shape.data, scriptHash, mapFunction, name: syncName(file), file, source: source.data };
  return { data, issues: [] };
}

/** Checks that no sync has a former name of this sync, because a sync takes over the records of its former names. */
function checkFormerNames(sync: Pick<SyncConfig, 'renamedFrom'> | undefined, file: string): Issue[] {
  if (!sync?.renamedFrom) return [];
  const names = list(dirname(file)).map(syncName);
  const taken = sync.renamedFrom.filter((former) => names.includes(former));
  return taken.map((former) => ({
    path: ['renamedFrom'],
    part: 'value',
    message: `names "${former}", which has a sync file`,
  }));
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
function withoutFunction(value: unknown): { plain: unknown; mapFunction?: SyncConfig['mapFunction'] } {
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
    resource === 'events' ? [] : ['instance', 'window', 'timeTypes', 'attachmentsDir'].filter((key) => key in value);
  const url = isObject(value.source) ? String(value.source.url) : '';
  const isRemote = value.attachmentsDir !== undefined && /^(https?|webcals?):/i.test(url);
  return [
    ...(isRemote
      ? [{ path: ['attachmentsDir'], part: 'key' as const, message: 'is only allowed for feeds that are files' }]
      : []),
    ...checkPartial(value),
    ...checkSchedule(value, name),
    ...checkAttributeNames({ ...value, resource, defaultMap: connector?.defaultMap, externalId: target?.externalId }),
    ...forEventsOnly.map((key): Issue => ({ path: [key], part: 'key', message: 'is only allowed for events' })),
  ];
}

/** Checks `missing` for feeds of changes: such a feed cannot prove that a record is missing, so a policy never applies. */
function checkPartial({ source, missing }: Record<string, unknown>): Issue[] {
  const isIdle = isObject(source) && source.partial === true && source.deleted === undefined;
  if (!isIdle || !isObject(missing) || missing.policy === 'keep') return [];
  const message = 'has no effect on a partial feed without source.deleted: nothing counts as missing';
  return [{ path: ['missing'], part: 'key', message }];
}

/** Freezes plain objects and arrays recursively, and returns the value. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return value;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
  return value;
}
