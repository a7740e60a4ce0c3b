import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { CodedError } from '../../core/errors.ts';

/** Address ranges that are not public, from the IANA special-purpose registries (RFC 6890). */
const blockedRanges: ReadonlyArray<[string, number, 'ipv4' | 'ipv6']> = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  // Unspecified, loopback and IPv4-compatible addresses. For IPv4-mapped addresses the IPv4 ranges apply.
  ['::', 96, 'ipv6'],
  // Addresses that contain an IPv4 address: NAT64, Teredo, 6to4.
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const blocked = new BlockList();
for (const [net, prefix, type] of blockedRanges) blocked.addSubnet(net, prefix, type);

/** Returns true for addresses in private or otherwise special networks, and for anything that is not an IP address. */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  return version === 0 || blocked.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Creates an undici agent that connects to public addresses only; other connections fail with CodedError FF_FEED_ADDRESS. The
 * agent checks the address to which the socket is opened, so neither a redirect nor a second lookup of a name (DNS rebinding)
 * gets past the check.
 */
export function createAgent(options: { allowPrivateNetwork: boolean; timeoutMs: number }): Agent {
  const { allowPrivateNetwork, timeoutMs } = options;
  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, allowH2: false };
  if (allowPrivateNetwork) return new Agent({ ...timeouts, connect: { timeout: timeoutMs } });
  const connect = buildConnector({ timeout: timeoutMs, lookup: publicLookup, allowH2: false });
  return new Agent({
    ...timeouts,
    connect: (target, callback) => {
      // A connection to a literal address needs no lookup.
      const host = target.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && isPrivateAddress(host)) callback(refusal(host, host), null);
      else connect(target, callback);
    },
  });
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const hidden = addresses?.find(({ address }) => isPrivateAddress(address));
    const first = addresses?.[0];
    if (error) callback(error, '', 0);
    else if (hidden) callback(refusal(hostname, hidden.address), '', 0);
    else if (options.all) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  });
};

function refusal(host: string, address: string): CodedError {
  const refused = host === address ? host : `${host} (${address})`;
  return new CodedError('FF_FEED_ADDRESS', `Did not connect to ${refused}: it is in a private network.`);
}
