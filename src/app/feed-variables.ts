import type { Variables } from '../config/files/interpolate.ts';
import { CodedError } from '../core/errors.ts';

/** A shorter value may be in the texts of a feed by chance, so it cannot be hidden. */
export const SHORTEST_SECRET = 6;

/** How the server of a feed knows feedferry, as a sync file has it: secrets are variables, `${NAME}`. */
export interface FeedAccess {
  headers?: Record<string, string>;
  auth?: { bearer: string } | { user: string; password: string };
  query?: Record<string, string>;
}

/** A variable with the key of feeds, the servers that receive its value, and how. */
export interface FeedVariable {
  name: string;
  /** How the server receives it, as a sync file has it. */
  access: FeedAccess;
  /** Returns whether the server at an http(s) address may receive the value. */
  isFor(url: URL): boolean;
}

const entryForm =
  /^(?:(?:bearer|basic (?<user>[^\s:@$]+):|\?(?<query>[\w.-]+)=|(?<header>[\w-]+):)\s*)?(?<name>[a-z_]\w*)@(?<scheme>https?:\/\/)?(?<wildcard>\*\.)?(?<host>[^\s/?#@\\*]+)$/i;
/** Variables of feedferry and of the runtime. Those of the target are in its config, too. */
const ownName =
  /^((CMS|FEEDFERRY|HTTPS?|SMTP|NODE|NPM)_|(DATABASE_URL|REDIS_URL|LOG_LEVEL|STOP_AFTER|TAKE_OVER_AFTER|NO_PROXY|PGPASS(WORD|FILE))(_FILE)?$)/i;

/**
 * Reads HTTP_EDIT_VARIABLES: variables with the host that receives each of them, and how: `FEED_TOKEN@api.example.edu` as a bearer
 * token, `X-Api-Key: FEED_KEY@…` in a header, `?key=FEED_KEY@…` in the query, `basic USER:FEED_PASSWORD@…` as a password. `*.` stands
 * for any name below a domain. Only `http://` in front of a host allows to send the value without TLS.
 * @throws CodedError FF_USAGE for an entry that is not valid, a variable of feedferry, or a value that is too short to be hidden
 */
export function readFeedVariables(list: string | undefined, variables: Variables): FeedVariable[] {
  const entries = (list ?? '').split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '').map((entry) => readEntry(entry, variables));
}

function readEntry(entry: string, variables: Variables): FeedVariable {
  const { name = '', scheme = 'https://', wildcard, host, ...how } = entryForm.exec(entry)?.groups ?? {};
  const server = name === '' ? null : URL.parse(`${scheme}${host}`);
  if (server === null || (wildcard && !server.hostname.includes('.'))) {
    const form = 'FEED_TOKEN@api.example.edu or X-Api-Key: FEED_KEY@*.example.edu';
    throw refused(`"${entry}" is no variable with the host that may receive it.`, `Write: ${form}.`);
  }
  if (ownName.test(name)) {
    throw refused(`${name} is a variable of feedferry itself.`, 'Set a variable of the feed, such as FEED_KEY=….');
  }
  const { length } = variables[name] || ' '.repeat(SHORTEST_SECRET);
  if (length < SHORTEST_SECRET) {
    const remedy = `Leave it out. Feeds with such a key are for \`feedferry init\` on the server.`;
    throw refused(`${name} has fewer than ${SHORTEST_SECRET} characters, too few to hide them in texts.`, remedy);
  }
  const isHost = wildcard ? (url: URL) => url.host.endsWith(`.${server.host}`) : (url: URL) => url.host === server.host;
  return { name, access: accessWith(name, how), isFor: (url) => url.protocol === server.protocol && isHost(url) };
}

function accessWith(name: string, { user, query, header }: Readonly<Record<string, string | undefined>>): FeedAccess {
  const value = `\${${name}}`;
  if (user !== undefined) return { auth: { user, password: value } };
  if (query !== undefined) return { query: { [query]: value } };
  return header === undefined ? { auth: { bearer: value } } : { headers: { [header]: value } };
}

function refused(message: string, remedy: string): CodedError {
  return new CodedError('FF_USAGE', `HTTP_EDIT_VARIABLES: ${message}`, { remedy });
}
