import { BlockList, isIP } from 'node:net';
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

/** Names that public DNS does not have: of one label, or reserved for private networks (RFC 6761, 6762, 8375; ICANN: internal). */
const privateName = /^[^.]+\.?$|\.(localhost|local|internal|home\.arpa)\.?$/i;

/** Returns true for names that are only used in private networks. */
export function isPrivateName(host: string): boolean {
  return privateName.test(host);
}

/** The refusal to connect to an address. */
export class PrivateAddressError extends CodedError {
  readonly host: string;
  readonly address: string;

  constructor(host: string, address: string) {
    const refused = host === address ? host : `${host} (${address})`;
    super('FF_FEED_ADDRESS', `Did not connect to ${refused}: it is in a private network.`);
    this.host = host;
    this.address = address;
  }
}
