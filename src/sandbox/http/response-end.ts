import type { FastifyReply } from 'fastify';

/**
 * Calls once the response has left, which is before the client has it, or the connection has broken: a client that has a
 * response finds what was noted of it.
 */
export function onResponseEnd({ raw }: FastifyReply, callback: () => void): void {
  const end = () => {
    raw.off('finish', end).off('close', end);
    callback();
  };
  raw.on('finish', end).on('close', end);
}
