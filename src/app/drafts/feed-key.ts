import type { TargetSecrets } from '../../config/check/target-secrets.ts';
import type { Variables } from '../../config/files/interpolate.ts';
import { CodedError } from '../../core/errors.ts';
import { literal } from '../../inference/sync-file.ts';
import type { FeedVariable } from '../feed-variables.ts';
import { type FeedAccess, refuseTargetVariables } from '../init/feed-access.ts';
import type { LockedFeedError } from '../init/locked-feed.ts';

/** The key of a feed that a person names in a browser. Everything but the variable is literal. */
export interface GivenKey {
  /** How the server of the feed receives it. */
  place: 'header' | 'bearer' | 'basic' | 'query';
  /** Name of the header or of the query parameter, or the user; not used for a bearer token. */
  name: string;
  /** An entry of HTTP_EDIT_VARIABLES. */
  variable: string;
}

/** The variables that people may name in a browser, with the values of the environment. */
export interface FeedKeys {
  listed: readonly FeedVariable[];
  variables: Variables;
}

/** The characters of names of headers (RFC 9110, 5.6.2). */
const token = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const userName = /^[^:\p{Cc}]{1,200}$/u;
/** Headers that frame or route a request, or that its client decides. */
const reservedHeader =
  /^(accept-.*|connection|content-.*|cookie2?|date|dnt|expect|forwarded|host|if-.*|keep-alive|origin|proxy-.*|range|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via|x-forwarded-.*|x-http-method.*)$/i;
const isPossible = {
  header: (name: string) => token.test(name) && name !== '__proto__' && !reservedHeader.test(name),
  query: (name: string) => token.test(name) && name !== '__proto__',
  basic: (name: string) => userName.test(name),
};

/** Lists the variables that are set. */
export function setVariables({ listed, variables }: FeedKeys): FeedVariable[] {
  return listed.filter(({ name }) => variables[name]);
}

/** @throws CodedError FF_USAGE if one of the variables is one of the target, or has its token */
export function checkFeedKeys({ listed, variables }: FeedKeys, secrets: TargetSecrets): void {
  refuseTargetVariables(
    listed.map(({ name }) => name),
    secrets,
    variables,
  );
}

/**
 * Returns how the server of a feed receives a key.
 * @throws CodedError FF_USAGE for a name that is not possible, or a variable that this server may not receive
 */
export function accessWith({ place, name, variable }: GivenKey, url: URL, keys: FeedKeys): FeedAccess {
  const known = setVariables(keys).find(({ entry }) => entry === variable);
  if (!known?.isFor(url)) {
    const message = `This variable cannot be sent to ${url.protocol === 'http:' ? `${url.host} without TLS` : url.host}.`;
    throw new CodedError('FF_USAGE', message, { remedy: allowedRemedy(url, keys) });
  }
  const value = `\${${known.name}}`;
  if (place === 'bearer') return { auth: { bearer: value } };
  if (!isPossible[place](name)) {
    const what = { header: 'name of a header', query: 'name of a parameter', basic: 'user name' }[place];
    throw new CodedError('FF_USAGE', `"${name.slice(0, 100)}" cannot be the ${what} for a key.`, {
      remedy: 'Enter it as the operator of the feed writes it, such as X-Api-Key, without a colon.',
    });
  }
  if (place === 'basic') return { auth: { user: String(literal(name)), password: value } };
  return place === 'header' ? { headers: { [name]: value } } : { query: { [name]: value } };
}

/** Explains to a person in a browser that a feed needs a key, or another one. */
export function explainLocked(locked: LockedFeedError, url: URL, keys: FeedKeys, given: GivenKey | undefined) {
  const { kind, header, isKnown } = locked.wanted;
  const wanted = { header: `in the header ${header}`, token: 'as a bearer token', password: 'as a password' }[kind];
  const remedy = given
    ? 'The server did not accept the variable. Check its value, and whether the server wants it in another place.'
    : `The feed needs a key${isKnown ? `, it seems ${wanted}` : ''}. ${allowedRemedy(url, keys)}`;
  return new CodedError('FF_FEED_STATUS', locked.message, { remedy });
}

/** Names the variables that a server may receive, or what to list so that there is one. */
function allowedRemedy(url: URL, keys: FeedKeys): string {
  const allowed = setVariables(keys).filter(({ isFor }) => isFor(url));
  const names = allowed.map(({ name }) => name).join(', ');
  if (names !== '') return `Choose a variable for this host: ${names}.`;
  const host = url.protocol === 'http:' ? url.origin : url.host;
  return `Ask the operator of feedferry to set the key in a variable, and to list it: HTTP_EDIT_VARIABLES=FEED_KEY@${host}`;
}
