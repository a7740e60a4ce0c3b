import { holdsToken, isTargetVariable, type TargetSecrets } from '../../config/check/target-secrets.ts';
import { interpolate, type Variables, variablesIn } from '../../config/files/interpolate.ts';
import { CodedError } from '../../core/errors.ts';
import { type FeedAccess, SHORTEST_SECRET } from '../feed-variables.ts';

/** The options of the command line. */
export interface AccessOptions {
  header?: readonly string[];
  auth?: string;
}

const headerForm = /^\s*([\w!#$%&'*+.^`|~-]+):\s*(\S.*)$/;
/** Headers that hold no secrets. */
const openHeader = /^(accept(-language)?|content-type|origin|referer|user-agent|x-requested-with)$/i;
/** The shell replaces variables in double quotes. */
const QUOTES = 'with single quotes, so that the shell does not replace the variable';

/** Returns whether a source on the command line is the address of a server, which may have variables or be one. */
export function isServerAddress(source: string): boolean {
  return /^(https?:|webcals?:|\$\{)/i.test(source);
}

/**
 * Reads the options --header and --auth.
 * @throws CodedError FF_USAGE, which does not repeat the values: they may be secret
 */
export function readFeedAccess({ header = [], auth }: AccessOptions): FeedAccess {
  return {
    ...(header.length > 0 && { headers: Object.fromEntries(header.map(readHeader)) }),
    ...(auth !== undefined && { auth: readAuth(auth) }),
  };
}

function readHeader(given: string): [string, string] {
  const [, name, value = ''] = headerForm.exec(given) ?? [];
  const example = `--header '${name ?? 'X-Api-Key'}: \${FEED_KEY}'`;
  if (name === undefined) throw usage('--header needs a name and a value.', `Write: ${example}, ${QUOTES}.`);
  if (!openHeader.test(name) && !isVariable(value))
    throw literalError(`The value of the header ${name}`, example, 'KEY');
  return [name, value];
}

function readAuth(given: string): NonNullable<FeedAccess['auth']> {
  const [, bearer] = /^bearer\s+(\S.*)$/i.exec(given) ?? [];
  if (bearer !== undefined) {
    if (!isVariable(bearer)) throw literalError('The token of --auth', "--auth 'bearer ${FEED_TOKEN}'", 'TOKEN');
    return { bearer };
  }
  const [, user, password] = /^([^:]+):(.+)$/.exec(given) ?? [];
  if (user === undefined || password === undefined) {
    const forms = "--auth 'USER:${FEED_PASSWORD}' or --auth 'bearer ${FEED_TOKEN}'";
    throw usage('--auth needs a user name and a password, or a token.', `Write: ${forms}, ${QUOTES}.`);
  }
  if (!isVariable(password)) throw literalError('The password of --auth', "--auth 'USER:${FEED_PASSWORD}'", 'PASSWORD');
  return { user, password };
}

/** Returns whether a value takes its secret from a variable, and has no default, which would be written out. */
function isVariable(value: string): boolean {
  return variablesIn(value).length > 0 && !value.includes(':-');
}

function literalError(subject: string, example: string, kind: string): CodedError {
  const remedy = `Set a variable in .env beside the config folder, such as FEED_${kind}=…, and write: ${example}, ${QUOTES}.`;
  return usage(`${subject} is written out. The sync file would show it.`, remedy);
}

function usage(message: string, remedy: string): CodedError {
  return new CodedError('FF_USAGE', message, { remedy });
}

/**
 * Lists the variables of an address and of headers and credentials.
 * @throws CodedError FF_USAGE for variables of the target, and for others that have its token
 */
export function feedVariables(
  address: string,
  access: FeedAccess,
  secrets: TargetSecrets,
  variables: Variables,
): string[] {
  const names = [...new Set([...variablesIn(address), ...variablesOf(access)])];
  refuseTargetVariables(names, secrets, variables);
  return names;
}

/** Lists the variables of headers and credentials. */
export function variablesOf(access: FeedAccess): string[] {
  return textsOf(access).flatMap(variablesIn);
}

/** @throws CodedError FF_USAGE for variables of the target, and for others that have its token */
export function refuseTargetVariables(names: readonly string[], secrets: TargetSecrets, variables: Variables): void {
  const hasToken = (name: string) => holdsToken(variables[name] ?? '', secrets.token);
  const refused = names.find((name) => isTargetVariable(name, secrets) || hasToken(name));
  if (refused === undefined) return;
  const what = isTargetVariable(refused, secrets) ? 'is a variable' : 'has the token';
  throw usage(
    `${refused} ${what} of the target. The server of the feed would receive it.`,
    'Set a variable of the feed in .env beside the config folder, such as FEED_KEY=…, and write: ${FEED_KEY}.',
  );
}

/** Fills in the variables of headers and credentials. @throws CodedError FF_CONFIG_ENV for a variable that is not set */
export function fillInAccess({ headers, auth, query }: FeedAccess, variables: Variables): FeedAccess {
  const fillIn = <Values extends object>(values: Values) =>
    Object.fromEntries(Object.entries(values).map(([name, text]) => [name, interpolate(text, variables)])) as Values;
  return {
    ...(headers && { headers: fillIn(headers) }),
    ...(auth && { auth: fillIn(auth) }),
    ...(query && { query: fillIn(query) }),
  };
}

/** Lists what must not be shown: the secrets of headers, credentials and address. */
export function secretsIn(address: string, access: FeedAccess, variables: Variables): string[] {
  const valuesOf = (texts: readonly string[]) => texts.flatMap(variablesIn).map((name) => variables[name] ?? '');
  // The part of an address may be a word or another address, which the feed may have in its texts.
  const ofAddress = valuesOf([address]).filter((value) => !/^[a-z]+$|:\/\//.test(value));
  const { auth } = fillInAccess(access, variables);
  const basic = auth && 'user' in auth ? [Buffer.from(`${auth.user}:${auth.password}`).toString('base64')] : [];
  const secrets = [...valuesOf(textsOf(access)), ...basic, ...ofAddress].filter(
    ({ length }) => length >= SHORTEST_SECRET,
  );
  return [...new Set(secrets)];
}

function textsOf({ headers, auth, query }: FeedAccess): string[] {
  return [headers, auth, query].flatMap((values) => Object.values(values ?? {}));
}
