import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../core/errors.ts';

/** Limit: how many requests one client may send in a window of time. */
export interface Cap {
  requests: number;
  windowMs: number;
}

/** Limits the requests of each client in a window of time, so that no client keeps the ledger busy. */
export function createCap({ requests, windowMs }: Cap) {
  const seen = new Map<string, number>();
  let endsAt = 0;

  /**
   * Counts a request.
   * @throws CodedError FF_HTTP_TOO_MANY if there were too many
   */
  return (client: string, reply: FastifyReply): void => {
    const now = performance.now();
    if (now >= endsAt) {
      seen.clear();
      endsAt = now + windowMs;
    }
    const count = (seen.get(client) ?? 0) + 1;
    seen.set(client, count);
    if (count <= requests) return;
    reply.header('retry-after', Math.ceil((endsAt - now) / 1000));
    const message = `More than ${requests} requests from one client within ${windowMs / 1000} s.`;
    throw new CodedError('FF_HTTP_TOO_MANY', message);
  };
}

/** Returns the address of the sender; of an IPv6 address its network, because each machine has many addresses in one. */
export function addressOf({ ip }: FastifyRequest): string {
  const plain = ip.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const groups = head.split(':');
  const zeros = plain.includes('::') ? 8 - groups.length - tail.split(':').length : 0;
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...tail.split(':')].slice(0, 4).join(':');
}
