import { promises as dns, type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';
import { createProxyAgent } from '../../core/network/env-proxy.ts';
import { isPrivateAddress, isPrivateName, PrivateAddressError } from './private-address.ts';

/** A machine behind a proxy may have no DNS of its own. */
const LONGEST_LOOKUP_MS = 2000;

/** Sends requests for feeds and attachments. */
export interface GuardedAgent {
  agent: Dispatcher;
  /** Checks an address before it is requested. @throws PrivateAddressError */
  admit(url: URL): Promise<void>;
}

/**
 * Creates an undici agent that connects to public addresses only, directly or through the proxy that the environment names; other
 * connections fail with CodedError FF_FEED_ADDRESS. Of direct connections, the agent checks the address to which the socket is
 * opened, so neither a redirect nor a second lookup of a name (DNS rebinding) gets past the check.
 *
 * A proxy looks up names itself, and does not report the address. `admit` refuses what this machine knows to be private:
 * literal addresses, names with a private address, and names that are only used in private networks. It passes names that only
 * the proxy can look up; which addresses these may have is up to the rules of the proxy.
 */
export function createAgent(options: { allowPrivateNetwork: boolean; timeoutMs: number }): GuardedAgent {
  const { allowPrivateNetwork, timeoutMs } = options;
  const connect = allowPrivateNetwork ? { timeout: timeoutMs } : publicConnector(timeoutMs);
  // One request after the other: a page that is requested early waits for the connection of the page before.
  const settings = { connect, allowH2: false, connections: 1 };
  const proxy = createProxyAgent({
    ...settings,
    connectTimeout: timeoutMs,
    clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: timeoutMs }),
  });
  return {
    agent: proxy ?? new Agent(settings),
    admit: async ({ hostname }) => {
      if (proxy && !allowPrivateNetwork) await refuseKnownPrivate(withoutBrackets(hostname));
    },
  };
}

function publicConnector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: publicLookup, allowH2: false });
  return (target, callback) => {
    // A connection to a literal address needs no lookup.
    const host = withoutBrackets(target.hostname);
    if (isIP(host) !== 0 && isPrivateAddress(host)) callback(new PrivateAddressError(host, host), null);
    else connect(target, callback);
  };
}

async function refuseKnownPrivate(host: string): Promise<void> {
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  const hidden = addresses.find(isPrivateAddress);
  if (hidden !== undefined) throw new PrivateAddressError(host, hidden);
  if (addresses.length === 0 && isPrivateName(host)) throw new PrivateAddressError(host, host);
}

/** Looks up a name. Returns no addresses if this machine cannot find any in time. */
async function addressesOf(host: string): Promise<string[]> {
  const { promise: nothing, resolve } = Promise.withResolvers<string[]>();
  const timer = setTimeout(resolve, LONGEST_LOOKUP_MS, []);
  const found = dns.lookup(host, { all: true }).then(
    (addresses) => addresses.map(({ address }) => address),
    () => [],
  );
  try {
    return await Promise.race([found, nothing]);
  } finally {
    clearTimeout(timer);
  }
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const hidden = addresses?.find(({ address }) => isPrivateAddress(address));
    const first = addresses?.[0];
    if (error) callback(error, '', 0);
    else if (hidden) callback(new PrivateAddressError(hostname, hidden.address), '', 0);
    else if (options.all) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  });
};
