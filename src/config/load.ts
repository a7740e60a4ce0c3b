import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { AnyConnector } from '../core/connector.ts';
import { isLoopback } from '../core/network/loopback.ts';
import { isObject } from '../core/record.ts';
import { checkFile } from './check/report.ts';
import { checkTargetSecrets, type TargetSecrets, targetSecrets } from './check/target-secrets.ts';
import { type Issue, type Validated, validate } from './check/validate.ts';
import type { ConfigFile, Path } from './files/config-file.ts';
import type { Variables } from './files/interpolate.ts';
import { ConfigError, type ConfigProblem } from './files/problems.ts';
import { readScriptFile } from './files/script-file.ts';
import { parseYaml, readYamlFile } from './files/yaml-file.ts';
import { type LoadContext, loadOne, syncSchemas } from './load-one.ts';
import { loadSources } from './load-sources.ts';
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
 * @param mayBeEmpty whether the folder need not have a sync file
 * @throws ConfigError if feedferry.yaml has mistakes, with all mistakes of all files, each with its file, line and column:
 *   FF_CONFIG_MISSING, FF_CONFIG_EXAMPLES, FF_CONFIG_YAML, FF_CONFIG_INVALID or FF_CONFIG_ENV
 */
export function loadUsableConfig(
  dir: string,
  connectors: readonly AnyConnector[],
  env: Variables,
  mayBeEmpty = false,
): Config {
  const problems: ConfigProblem[] = [];
  const targetYaml = readYamlFile(join(dir, 'feedferry.yaml'), env);
  const settings = checkFile(targetYaml, (value) => validate(targetFile, value), problems);
  const target = settings?.target;
  if (target) problems.push(...onlyLocalProblems(targetYaml, target));
  const schemas = syncSchemas(resolve(dir, 'syncs'), connectors, target);
  const canMail = settings && settings.alerts?.email !== undefined;
  const context = { connectors, target, secrets: targetSecrets(targetYaml, target?.token), canMail, schemas };
  const syncs = new Map<string, SyncConfig>();
  const broken = new Map<string, ConfigProblem[]>();
  const files = findSyncFiles(join(dir, 'syncs'));
  if (files.length === 0 && !mayBeEmpty) problems.push(noSyncs(join(dir, 'syncs')));
  for (const file of files) {
    const name = syncName(file);
    const mistakes = [...(broken.get(name) ?? []), ...nameProblems(file, syncs.has(name) || broken.has(name))];
    const source = file.endsWith('.ts') ? readScriptFile(file) : readYamlFile(file, env);
    const sync = checkFile(source, () => loadSync(source, context), mistakes);
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

/** Refuses to deliver examples, however their folder was named, to a CMS that is not on this machine. */
function onlyLocalProblems({ file, positionOf }: ConfigFile, { onlyLocal, baseUrl }: TargetConfig): ConfigProblem[] {
  if (!onlyLocal || isLoopback(new URL(baseUrl).hostname)) return [];
  const message = `these syncs are examples for a CMS on this machine (target.onlyLocal), and target.baseUrl is ${baseUrl}`;
  return [{ file, ...positionOf(['target', 'baseUrl'], 'value'), code: 'FF_CONFIG_EXAMPLES', message }];
}

function findSyncFiles(folder: string): string[] {
  const files = listFolder(folder).filter((name) => /^[^.].*\.(ya?ml|ts)$/.test(name) && !name.endsWith('.d.ts'));
  return files.map((file) => join(folder, file));
}

function noSyncs(file: string): ConfigProblem {
  const message = 'this folder has no sync file (*.yaml or *.ts); `feedferry init FEED` writes one';
  return { file, line: 1, column: 1, code: 'FF_CONFIG_MISSING', message };
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

/**
 * Checks the text of a sync file; the file need not exist.
 * @param env fills in `${NAME}` in the text
 * @throws ConfigError with all mistakes of the text
 */
export function checkSyncText(
  file: string,
  text: string,
  connectors: readonly AnyConnector[],
  target: TargetConfig,
  env: Variables = {},
): SyncConfig {
  const problems: ConfigProblem[] = [];
  const source = parseYaml(file, text, env);
  const schemas = syncSchemas(resolve(dirname(file)), connectors, target);
  const secrets = { variables: new Set<string>(), token: target.token };
  const sync = checkFile(source, () => loadSync(source, { connectors, target, secrets, schemas }), problems);
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

/** Reads what the server of a feed must not receive, as far as the config folder has a feedferry.yaml. */
export function readTargetSecrets(dir: string, env: Variables): TargetSecrets {
  const file = readYamlFile(join(dir, 'feedferry.yaml'), env);
  return targetSecrets(file, validate(targetFile, file.value).data?.target.token);
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

/** Checks the content of a sync file, with `source` or `sources`. */
function loadSync(
  source: Pick<ConfigFile, 'value' | 'file' | 'scriptHash' | 'sourceOf'>,
  context: LoadContext,
): Validated<SyncConfig> {
  const { value, scriptHash } = source;
  const file = resolve(source.file);
  const origin = { scriptHash, name: syncName(file), file };
  if (!isObject(value)) return loadOne(value, origin, context);
  const { data, issues } = 'sources' in value ? loadSources(value, origin, context) : loadOne(value, origin, context);
  const found = [
    ...issues,
    ...checkMergesSources(value),
    ...checkFormerNames(value, file),
    ...(context.canMail === false ? checkMails(value) : []),
    ...checkTargetSecrets(source, context.secrets),
  ];
  return data && found.length === 0 ? { data, issues: [] } : { data: undefined, issues: found };
}

function checkMergesSources(value: Record<string, unknown>): Issue[] {
  const message = 'is only allowed with sources';
  return 'merge' in value && !('sources' in value) ? [{ path: ['merge'], part: 'key', message }] : [];
}

/**
 * Checks the former names in a sync file, those of the sync and those of its sources. A sync takes over the records of its
 * former names, so no sync may have such a name, and no two may take over the same records.
 * @param file absolute path of the sync file
 */
function checkFormerNames(value: Record<string, unknown>, file: string): Issue[] {
  const present = listFolder(dirname(file)).map(syncName);
  const seen = new Set<string>();
  return formerNames(value).flatMap(({ path, former }): Issue[] => {
    const mistake = mistakeOf(former);
    seen.add(former);
    return mistake === undefined ? [] : [{ path, part: 'value', message: mistake }];
  });

  function mistakeOf(former: string): string | undefined {
    if (seen.has(former)) return 'names a former sync for the second time';
    if (former === syncName(file)) return 'names this sync itself, so its file must be renamed first';
    return present.includes(former) ? 'names a sync that has a file' : undefined;
  }
}

function formerNames({ renamedFrom, sources }: Record<string, unknown>): Array<{ path: Path; former: string }> {
  return [
    ...entriesOf(['renamedFrom'], renamedFrom),
    ...Object.entries(isObject(sources) ? sources : {}).flatMap(([name, source]) =>
      entriesOf(['sources', name, 'renamedFrom'], isObject(source) ? source.renamedFrom : undefined),
    ),
  ];
}

function entriesOf(path: Path, names: unknown): Array<{ path: Path; former: string }> {
  if (typeof names === 'string') return [{ path, former: names }];
  if (!Array.isArray(names)) return [];
  return names.map((former, index) => ({ path: [...path, index], former: String(former) }));
}

/** Returns the names of the files of a folder in their order; none if the folder cannot be read. */
function listFolder(folder: string): string[] {
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

/** Reports whom a sync cannot write to without a mail server. */
function checkMails({ owner, alerts, sources }: Record<string, unknown>): Issue[] {
  const named = Object.entries(isObject(sources) ? sources : {}).filter(([, each]) => isObject(each) && each.owner);
  const paths = [
    ...(owner ? [['owner']] : []),
    ...(isObject(alerts) && alerts.email ? [['alerts', 'email']] : []),
    ...named.map(([name]) => ['sources', name, 'owner']),
  ];
  const message = 'needs a mail server: write `alerts: { email: { from, to, smtp } }` in feedferry.yaml';
  return paths.map((path) => ({ path, part: 'key', message }));
}
