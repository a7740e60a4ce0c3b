import { EnvHttpProxyAgent } from 'undici';
import { CodedError } from '../errors.ts';

/** No proxy can reach the services of this machine. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Creates an agent that sends requests through the proxies that the environment names (HTTP_PROXY, HTTPS_PROXY, NO_PROXY, or in
 * lower case), and directly to this machine and to hosts of NO_PROXY. Returns undefined if the environment names no proxy.
 * @throws CodedError FF_CONFIG_INVALID if the address of a proxy is invalid
 */
export function createProxyAgent(options: EnvHttpProxyAgent.Options): EnvHttpProxyAgent | undefined {
  const { env } = process;
  if (!['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].some((name) => env[name])) return undefined;
  const noProxy = [env.no_proxy ?? env.NO_PROXY ?? '', ...THIS_MACHINE].join(',');
  try {
    return new EnvHttpProxyAgent({ ...options, noProxy });
  } catch {
    // The address may contain a password.
    throw new CodedError('FF_CONFIG_INVALID', 'HTTP_PROXY or HTTPS_PROXY is not the address of a proxy.', {
      remedy: 'Set them to an address such as http://proxy.example.edu:3128, or remove them.',
    });
  }
}
