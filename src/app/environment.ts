import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { CodedError } from '../core/errors.ts';
import { isLoopback } from '../core/network/loopback.ts';
import { readFeedVariables } from './feed-variables.ts';

/** Less than 10 s, after which Docker kills the process. */
const STOP_AFTER_MS = 8_000;

/** The environment variables that feedferry reads, with their defaults. */
export type Environment = ReturnType<typeof readEnvironment>;

/** Where the HTTP server listens, and who has access. */
export type HttpSettings = Environment['http'];

/** The config folder: the one given on the command line, else FEEDFERRY_CONFIG, else ./config. */
export function configFolder(variables: NodeJS.ProcessEnv, configDir?: string): string {
  return configDir ?? (variables.FEEDFERRY_CONFIG || './config');
}

/**
 * Reads the environment. `NAME_FILE` names a file that holds the value of NAME, as Docker and systemd pass secrets.
 * @throws CodedError FF_CONFIG_MISSING for a file that cannot be read, FF_USAGE for an invalid address, port or number of seconds,
 * FF_HTTP_OPEN
 */
export function readEnvironment(variables: NodeJS.ProcessEnv, configDir?: string) {
  const folder = configFolder(variables, configDir);
  return {
    configDir: folder,
    /** Absolute folder of the SQLite ledger and of the sandbox; by default beside the config, whatever the working directory. */
    dataDir: resolve(variables.FEEDFERRY_DATA || join(folder, '..', '.feedferry')),
    databaseUrl: checkedUrl('DATABASE_URL', secretOf('DATABASE_URL', variables), /^postgres(ql)?:\/\//, 'postgres://'),
    redisUrl: checkedUrl('REDIS_URL', secretOf('REDIS_URL', variables), /^(rediss?:\/\/|\/)/, 'redis:// or rediss://'),
    /** Secret from which the key for passwords at rest is derived. */
    secret: secretOf('FEEDFERRY_SECRET', variables),
    logLevel: variables.LOG_LEVEL || 'info',
    http: readHttpSettings(variables),
    /** Public address of the console, without a slash at its end, for links in alerts. */
    publicUrl: publicUrl(variables.HTTP_URL),
    /** How long the requests in flight may take to end after a signal, in ms. */
    stopAfterMs: milliseconds('STOP_AFTER', variables.STOP_AFTER) ?? STOP_AFTER_MS,
    /** How long a process may be silent before another process takes over its work, in ms; undefined: the ledger's default. */
    takeOverAfterMs: milliseconds('TAKE_OVER_AFTER', variables.TAKE_OVER_AFTER),
    /** All variables, for `${NAME}` in config files. */
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

/** Checks an address. The error does not repeat the address, which may contain a password; errors of libraries would. */
function checkedUrl(name: string, url: string | undefined, pattern: RegExp, schemes: string): string | undefined {
  if (url === undefined || pattern.test(url)) return url;
  throw new CodedError('FF_USAGE', `${name} must be an address that begins with ${schemes}.`);
}

function publicUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (isPlain) return url.href.replace(/(?<!\/)\/+$/, '');
  throw new CodedError('FF_USAGE', `HTTP_URL must be an address such as https://feedferry.example.edu, not "${text}".`);
}

function milliseconds(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  throw new CodedError('FF_USAGE', `${name} must be a number of seconds, not "${text}".`);
}

/**
 * Reads where and for whom the console is served.
 * @throws CodedError FF_USAGE for an invalid port, proxy or header, FF_HTTP_OPEN for a host other than this machine without a token
 */
function readHttpSettings(variables: NodeJS.ProcessEnv) {
  /** undefined: the default port; 0: any free port. */
  const port = variables.HTTP_PORT ? toPort(variables.HTTP_PORT) : undefined;
  const host = variables.HTTP_HOST || '127.0.0.1';
  /** Bearer tokens, or passwords, by role. Only a server on loopback, for the users of this machine, needs none. */
  const tokens = {
    approve: secretOf('HTTP_TOKEN', variables),
    operate: secretOf('HTTP_OPERATE_TOKEN', variables),
    view: secretOf('HTTP_VIEW_TOKEN', variables),
  };
  /** File of the people and programs that have tokens of their own. */
  const tokensFile = variables.HTTP_TOKENS_FILE || undefined;
  const isTrustedProxy = trustedProxies(variables.HTTP_TRUSTED_PROXIES);
  /** Name of the header in which a trusted proxy names the person. */
  const userHeader = variables.HTTP_USER_HEADER?.toLowerCase() || undefined;
  const edit = readEdit(variables);
  /** The variables that these people may name for feeds that need a key. */
  const feedVariables = readFeedVariables(variables.HTTP_EDIT_VARIABLES, variables);
  const isOpen = tokensFile === undefined && Object.values(tokens).every((token) => token === undefined);
  if (userHeader !== undefined) checkUserHeader(userHeader, { isTrustedProxy, tokensFile });
  if (port !== 'off' && !isLoopback(host) && isOpen) {
    const message = `HTTP_HOST is ${host}, but none of HTTP_TOKENS_FILE, HTTP_TOKEN and HTTP_TOKEN_FILE is set.`;
    throw new CodedError('FF_HTTP_OPEN', message);
  }
  return { port, host, tokens, tokensFile, isTrustedProxy, userHeader, edit, feedVariables };
}

/** Returns whether the server at an address is a trusted proxy. */
type IsTrusted = (address: string) => boolean;

/**
 * Reads a list of addresses and networks, such as `127.0.0.1, 10.1.0.0/16`.
 * @throws CodedError FF_USAGE for something else, and for a network that has all addresses
 */
function trustedProxies(list: string | undefined): IsTrusted | undefined {
  const entries = (list ?? '').split(',').flatMap((entry) => entry.trim() || []);
  if (entries.length === 0) return undefined;
  const trusted = new BlockList();
  for (const entry of entries) {
    const [, address = '', bits] = /^([\d.]+|[\da-f:]+)(?:\/(\d+))?$/i.exec(entry) ?? [];
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const prefix = bits === undefined ? most : Number(bits);
    if (version === 0 || prefix < 1 || prefix > most) {
      const message = `HTTP_TRUSTED_PROXIES must be addresses or networks, such as 127.0.0.1 or 10.1.0.0/16, not "${entry}".`;
      throw new CodedError('FF_USAGE', message);
    }
    trusted.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
    const version = isIP(plain);
    return version !== 0 && trusted.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** What people with the permission may do: draft syncs from feeds, or also save them in the config folder. */
export type EditMode = 'off' | 'draft' | 'save';

/** Reads HTTP_EDIT. @throws CodedError FF_USAGE if several processes might not see what one of them saves */
function readEdit(variables: NodeJS.ProcessEnv): EditMode {
  const edit = variables.HTTP_EDIT || 'off';
  if (!['off', 'draft', 'on', 'shared'].includes(edit))
    throw new CodedError('FF_USAGE', `HTTP_EDIT must be off, draft, on or shared, not "${edit}".`);
  if (edit === 'on' && (variables.REDIS_URL || variables.REDIS_URL_FILE)) {
    const message =
      'HTTP_EDIT is on, but with REDIS_URL there may be several processes with config folders of their own.';
    throw new CodedError('FF_USAGE', message, {
      remedy: 'If all processes read the same folder, set HTTP_EDIT=shared. Otherwise set HTTP_EDIT=draft.',
    });
  }
  return edit === 'on' || edit === 'shared' ? 'save' : (edit as EditMode);
}

function checkUserHeader(
  header: string,
  { isTrustedProxy, tokensFile }: { isTrustedProxy: IsTrusted | undefined; tokensFile: string | undefined },
): void {
  if (!/^[\w-]+$/.test(header))
    throw new CodedError('FF_USAGE', `HTTP_USER_HEADER is no name of a header: "${header}".`);
  if (isTrustedProxy && tokensFile) return;
  const lacking = isTrustedProxy ? 'HTTP_TOKENS_FILE, which gives each name a role' : 'HTTP_TRUSTED_PROXIES';
  throw new CodedError('FF_USAGE', `HTTP_USER_HEADER also needs ${lacking}.`);
}

function toPort(text: string): number | 'off' {
  if (text === 'off') return 'off';
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new CodedError('FF_USAGE', `HTTP_PORT must be a port number or "off", not "${text}".`);
}
