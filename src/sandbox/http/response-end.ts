import type { FastifyReply } from 'fastify';

/**
 * Calls back once the response has left or the connection has broken. A response leaves before its client has it, so the
 * client finds everything that was recorded about it.
 */
export function onResponseEnd({ raw }: FastifyReply, callback: () => void): void {
  const end = () => {
    raw.off('finish', end).off('close', end);
    callback();
  };
  raw.on('finish', end).on('close', end);
}
