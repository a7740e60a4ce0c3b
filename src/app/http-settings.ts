import { isIPv4 } from 'node:net';
import { CodedError } from '../core/errors.ts';

const LOOPBACK = '127.0.0.1';

/** Where the HTTP server listens, and the token that it requires. */
export interface HttpSettings {
  /** 0: any free port. */
  port: number;
  host: string;
  /** Bearer token, or password of Basic authentication. Optional on loopback only, for the users of this machine. */
  token?: string;
}

/**
 * Reads HTTP_PORT and HTTP_HOST; undefined if no port is set.
 * @throws CodedError FF_USAGE for an invalid port, FF_HTTP_OPEN for a host other than this machine without a token
 */
export function readHttpSettings(variables: NodeJS.ProcessEnv, token: string | undefined): HttpSettings | undefined {
  if (!variables.HTTP_PORT) return undefined;
  const port = toPort(variables.HTTP_PORT);
  const host = variables.HTTP_HOST || LOOPBACK;
  if (token === undefined && !isLoopback(host)) {
    throw new CodedError('FF_HTTP_OPEN', `HTTP_HOST is ${host}, but neither HTTP_TOKEN nor HTTP_TOKEN_FILE is set.`);
  }
  return { port, host, ...(token === undefined ? {} : { token }) };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

function toPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new CodedError('FF_USAGE', `HTTP_PORT must be a port number, not "${text}".`);
}
