import { BlockList, isIP } from 'node:net';
import { CodedError } from '../core/errors.ts';

/** Returns whether the server at an address is a trusted proxy. */
export type IsTrusted = (address: string) => boolean;

/**
 * Reads a list of addresses and networks, such as `127.0.0.1, 10.1.0.0/16`.
 * @throws CodedError FF_USAGE for something else, and for a network that has all addresses
 */
export function trustedProxies(list: string | undefined): IsTrusted | undefined {
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
