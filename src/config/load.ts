import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AnyConnector } from '../core/connector.ts';
import { checkFile } from './check/report.ts';
import { validate } from './check/validate.ts';
import type { Variables } from './files/interpolate.ts';
import { ConfigError, type ConfigProblem } from './files/problems.ts';
import { readScriptFile } from './files/script-file.ts';
import { readYamlFile } from './files/yaml-file.ts';
import { loadSync, syncName } from './load-sync.ts';
import { targetFile } from './schema/target-schema.ts';
import type { Config } from './types.ts';

/**
 * Reads and checks a config folder: feedferry.yaml and syncs/*.yaml or *.ts. The result is deep-frozen.
 * @param dir the folder; messages name the files below it with this prefix
 * @param connectors check the options in `source` with their schemas
 * @param env fills in `${NAME}` in the files
 * @throws ConfigError with all mistakes of all files, each with its file, line and column: FF_CONFIG_MISSING,
 *   FF_CONFIG_YAML, FF_CONFIG_INVALID or FF_CONFIG_ENV
 */
export function loadConfig(dir: string, connectors: readonly AnyConnector[], env: Variables): Config {
  const problems: ConfigProblem[] = [];
  const targetYaml = readYamlFile(join(dir, 'feedferry.yaml'), env);
  const settings = checkFile(targetYaml, (value) => validate(targetFile, value), problems);
  const syncs = findSyncFiles(dir, problems).flatMap((file) => {
    const source = file.endsWith('.ts') ? readScriptFile(file) : readYamlFile(file, env);
    const context = { connectors, target: settings?.target };
    return checkFile(source, () => loadSync(source, context), problems) ?? [];
  });
  if (problems.length > 0 || !settings) throw new ConfigError(problems);
  return deepFreeze({ ...settings, dir: resolve(dir), syncs });
}

function findSyncFiles(dir: string, problems: ConfigProblem[]): string[] {
  const folder = join(dir, 'syncs');
  const report = (file: string, code: ConfigProblem['code'], message: string) =>
    problems.push({ file, line: 1, column: 1, code, message });

  const files = list(folder).filter((name) => /^[^.].*\.(ya?ml|ts)$/.test(name) && !name.endsWith('.d.ts'));
  if (files.length === 0) report(folder, 'FF_CONFIG_MISSING', 'this folder has no sync file (*.yaml or *.ts)');
  const seen = new Set<string>();
  for (const file of files) {
    const name = syncName(file);
    const mistake = /^[\w.-]+$/.test(name)
      ? seen.has(name) && `another sync file has the same name, "${name}"`
      : 'the name of a sync file may only contain letters, digits, "-", "_" and "."';
    if (mistake) report(join(folder, file), 'FF_CONFIG_INVALID', mistake);
    seen.add(name);
  }
  return files.map((file) => join(folder, file));
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
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
