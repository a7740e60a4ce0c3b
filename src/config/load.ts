import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AnyConnector } from '../core/connector.ts';
import { problemsOf } from './check/report.ts';
import { validate } from './check/validate.ts';
import type { Variables } from './files/interpolate.ts';
import { ConfigError, type ConfigProblem } from './files/problems.ts';
import { readScriptFile } from './files/script-file.ts';
import { readYamlFile } from './files/yaml-file.ts';
import { deepFreeze } from './freeze.ts';
import { loadSync, syncName } from './load-sync.ts';
import { targetFile } from './schema/target-schema.ts';
import type { Config, SyncConfig } from './types.ts';

/**
 * Reads and checks a config folder: feedferry.yaml and syncs/*.yaml or *.ts. The result is deep-frozen; durations are in ms.
 * @param dir the folder; files in messages are named below it as it was given.
 * @param connectors whose `options` schemas check the connectors' own keys of `source`.
 * @param env fills in `${NAME}` in the files.
 * @throws ConfigError with every mistake of all files at once, each with its file, line and column:
 *   FF_CONFIG_MISSING, FF_CONFIG_YAML, FF_CONFIG_INVALID or FF_CONFIG_ENV.
 */
export function loadConfig(dir: string, connectors: readonly AnyConnector[], env: Variables): Config {
  const problems: ConfigProblem[] = [];
  const { target, alerts, retention } = loadTarget(dir, env, problems) ?? {};
  const syncs: SyncConfig[] = [];
  for (const file of findSyncFiles(dir, problems)) {
    const source = file.endsWith('.ts') ? readScriptFile(file) : readYamlFile(file, env);
    const { sync, issues } = source.usable ? loadSync(source, { connectors, target }) : { sync: undefined, issues: [] };
    problems.push(...problemsOf(source, issues));
    if (sync) syncs.push(sync);
  }
  if (problems.length > 0 || !target || !retention) throw new ConfigError(problems);
  return deepFreeze({ dir: resolve(dir), target, ...(alerts && { alerts }), retention, syncs });
}

function loadTarget(dir: string, env: Variables, problems: ConfigProblem[]) {
  const yaml = readYamlFile(join(dir, 'feedferry.yaml'), env);
  const { data, issues } = yaml.usable ? validate(targetFile, yaml.value) : { data: undefined, issues: [] };
  problems.push(...problemsOf(yaml, issues));
  return data;
}

function findSyncFiles(dir: string, problems: ConfigProblem[]): string[] {
  const folder = join(dir, 'syncs');
  const blame = (file: string, code: ConfigProblem['code'], message: string) =>
    problems.push({ file, line: 1, column: 1, code, message });

  const files = list(folder).filter((name) => /^[^.].*\.(ya?ml|ts)$/.test(name) && !name.endsWith('.d.ts'));
  if (files.length === 0) blame(folder, 'FF_CONFIG_MISSING', 'there is no sync file (*.yaml, *.ts) in this folder');
  const seen = new Set<string>();
  for (const file of files) {
    const name = syncName(file);
    if (!/^[\w.-]+$/.test(name)) {
      blame(join(folder, file), 'FF_CONFIG_INVALID', 'the name of a sync file may hold letters, digits, "-", "_", "."');
    }
    if (seen.has(name)) blame(join(folder, file), 'FF_CONFIG_INVALID', `another sync file is named "${name}", too`);
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
