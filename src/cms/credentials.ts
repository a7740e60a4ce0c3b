import { CodedError } from '../core/errors.ts';

/**
 * Returns the API token (API: "Authentication").
 * @throws CodedError FF_CONFIG_INVALID for a token that cannot be sent
 */
export function checkedToken(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new CodedError('FF_CONFIG_INVALID', 'The token of the CMS is empty or contains spaces or special characters.', {
    remedy: 'Create a token in the site administration under Settings, API, and set it as CMS_API_TOKEN.',
  });
}

/** How the token is sent: as `Authorization: Bearer` (API: "Authentication"), or alone in a header of its own. */
export type TokenHeader = 'bearer' | { header: string };

/** Headers with a fixed meaning in every request. */
const TAKEN = /^(accept|user-agent|host|connection|transfer-encoding|expect|content-.*|proxy-.*)$/i;

/**
 * Returns the header that carries the token.
 * @throws CodedError FF_CONFIG_INVALID for a name that cannot be used
 */
export function authHeader(auth: TokenHeader, token: string): Record<string, string> {
  if (auth === 'bearer') return { authorization: `Bearer ${token}` };
  // RFC 9110, 5.1.
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(auth.header) && !TAKEN.test(auth.header)) return { [auth.header]: token };
  throw new CodedError('FF_CONFIG_INVALID', `The header ${JSON.stringify(auth.header)} cannot carry the token.`, {
    remedy: 'Set `target.auth` to bearer, or to { header: NAME }.',
  });
}

/**
 * Returns the User-Agent header that every request needs (API: "Request rules for every endpoint"; RFC 9110, 5.5).
 * @throws CodedError FF_CONFIG_INVALID if the value cannot be sent in a header
 */
export function checkedUserAgent(userAgent: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(userAgent)) return userAgent;
  throw new CodedError('FF_CONFIG_INVALID', `The user agent ${JSON.stringify(userAgent)} cannot be sent in a header.`);
}
