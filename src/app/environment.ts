import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CodedError } from '../core/errors.ts';
import { type HttpSettings, readHttpSettings } from './http-settings.ts';

/** Less than the 10 s after which Docker kills. */
const STOP_AFTER_MS = 8_000;

/** The environment variables that feedferry reads, with their defaults. */
export interface Environment {
  configDir: string;
  /** Absolute folder of the SQLite ledger and of the sandbox. */
  dataDir: string;
  databaseUrl?: string;
  redisUrl?: string;
  /** Secret from which the key for passwords at rest is derived. */
  secret?: string;
  logLevel: string;
  /** HTTP server of `start` and `worker`; absent: none. */
  http?: HttpSettings;
  /** How long the requests in flight may take to end after a signal, in ms. */
  stopAfterMs: number;
  /** All variables, for `${NAME}` in config files. */
  variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the environment. `NAME_FILE` names a file that holds the value of NAME, as Docker and systemd pass secrets.
 * @throws CodedError FF_CONFIG_MISSING for a file that cannot be read, FF_USAGE for an invalid port or number of seconds,
 * FF_HTTP_OPEN
 */
export function readEnvironment(variables: NodeJS.ProcessEnv, configDir?: string): Environment {
  const databaseUrl = secretOf('DATABASE_URL', variables);
  const redisUrl = secretOf('REDIS_URL', variables);
  const secret = secretOf('FEEDFERRY_SECRET', variables);
  const http = readHttpSettings(variables, secretOf('HTTP_TOKEN', variables));
  return {
    configDir: configDir ?? (variables.FEEDFERRY_CONFIG || './config'),
    dataDir: resolve(variables.FEEDFERRY_DATA || '.feedferry'),
    logLevel: variables.LOG_LEVEL || 'info',
    stopAfterMs: variables.STOP_AFTER ? toSeconds(variables.STOP_AFTER) * 1000 : STOP_AFTER_MS,
    ...(databaseUrl ? { databaseUrl } : {}),
    ...(redisUrl ? { redisUrl } : {}),
    ...(secret ? { secret } : {}),
    ...(http ? { http } : {}),
    variables,
  };
}

function secretOf(name: string, variables: NodeJS.ProcessEnv): string | undefined {
  const file = variables[`${name}_FILE`];
  if (variables[name] || !file) return variables[name] || undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    throw new CodedError('FF_CONFIG_MISSING', `${name}_FILE is ${file}, which cannot be read.`, { cause: error });
  }
}

function toSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new CodedError('FF_USAGE', `STOP_AFTER must be a number of seconds, not "${text}".`);
}
