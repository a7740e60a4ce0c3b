import { connectors } from '../../connectors/index.ts';
import { jsonSchemaOf, type schemaNames } from '../config/json-schema.ts';
import { loadConfig, loadUsableConfig } from '../config/load.ts';
import type { Config } from '../config/types.ts';
import type { Environment } from './environment.ts';

/**
 * Loads the config folder with the connectors of this build.
 * @throws ConfigError with all mistakes of all files
 */
export function loadAppConfig(environment: Environment): Config {
  return loadConfig(environment.configDir, connectors, environment.variables);
}

/**
 * Loads the config folder; `broken` has the syncs whose files have mistakes.
 * @param mayBeEmpty whether the folder need not have a sync file
 * @throws ConfigError if feedferry.yaml has mistakes, or there is no sync file
 */
export function loadUsableAppConfig({ configDir, variables }: Environment, mayBeEmpty = false): Config {
  return loadUsableConfig(configDir, connectors, variables, mayBeEmpty);
}

/**
 * The JSON Schema of a kind of config file with the connectors of this build, as text.
 * @param indent spaces; 0 for one line
 */
export function printedSchema(name: (typeof schemaNames)[number], indent: number): string {
  return JSON.stringify(jsonSchemaOf(name, connectors), null, indent);
}
