import { connectors } from '../../connectors/index.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/types.ts';
import type { Environment } from './environment.ts';

/**
 * Loads the config folder with the connectors of this build.
 * @throws ConfigError
 */
export function loadAppConfig(environment: Environment): Config {
  return loadConfig(environment.configDir, connectors, environment.variables);
}
