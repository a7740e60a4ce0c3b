import { CodedError } from '../core/errors.ts';
import { isLoopback } from '../core/network/loopback.ts';

/** The address of the API. */
export type ApiAddress = ReturnType<typeof apiAddress>;

/**
 * Reads the base URL of a site, which may have a path (API: "Versioning"). Requests go to `origin` with paths below `path`,
 * which ends with "/api/v1/". `isLocal`: on this machine.
 * @throws CodedError FF_CONFIG_INVALID, FF_CMS_INSECURE if the token would be sent unencrypted
 */
export function apiAddress(baseUrl: string, allowHttp: boolean) {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid('is not an http:// or https:// address');
  if (url.username || url.password) throw invalid('contains a user name or password, but the CMS accepts only a token');
  if (url.search || url.hash) throw invalid('has a query or fragment');
  if (/\/api\/v\d+\/*$/i.test(url.pathname)) throw invalid('ends with the path of the API, which is appended to it');
  const isLocal = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !allowHttp && !isLocal) {
    throw new CodedError('FF_CMS_INSECURE', `${url.origin} is not https://, so the token would be sent unencrypted.`);
  }
  return { origin: url.origin, path: `${url.pathname.replace(/(?<!\/)\/+$/, '')}/api/v1/`, isLocal };
}

/** The error for an invalid address. Does not repeat the value, which may be a secret that was pasted by mistake. */
function invalid(problem: string): CodedError {
  return new CodedError('FF_CONFIG_INVALID', `The base URL of the CMS ${problem}.`, {
    remedy: 'Set `target.baseUrl` to the address of the site, for example https://www.example.edu.',
  });
}
