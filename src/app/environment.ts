import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CodedError } from '../core/errors.ts';
import { type HttpSettings, readHttpSettings } from './http-settings.ts';

/** Less than the 10 s after which Docker kills. */
const STOP_AFTER_MS = 8_000;
const TAKE_OVER_AFTER_MS = 30_000;

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
  /** How long a process may be silent before another one takes over what it was doing, in ms. */
  takeOverAfterMs: number;
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
    stopAfterMs: milliseconds('STOP_AFTER', variables) ?? STOP_AFTER_MS,
    takeOverAfterMs: milliseconds('TAKE_OVER_AFTER', variables) ?? TAKE_OVER_AFTER_MS,
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

function milliseconds(name: string, variables: NodeJS.ProcessEnv): number | undefined {
  const text = variables[name];
  if (!text) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  throw new CodedError('FF_USAGE', `${name} must be a number of seconds, not "${text}".`);
}
