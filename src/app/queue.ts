import type { Logger } from 'pino';
import type { DeliveryQueue } from '../core/queue.ts';
import type { BullmqQueue } from '../queue/bullmq.ts';
import { createLocalQueue } from '../queue/local.ts';
import type { Environment } from './environment.ts';

/** `queues`, for the board that shows them, exists on Redis only. */
export type OpenedQueue = DeliveryQueue & Partial<Pick<BullmqQueue, 'queues'>>;

/**
 * Opens the queue of a target: BullMQ if there is a Redis, else one in this process.
 * @throws CodedError FF_QUEUE_UNAVAILABLE
 */
export async function openQueue(
  { redisUrl, stopAfterMs }: Environment,
  { targetId, concurrency, log }: { targetId: string; concurrency: number; log: Logger },
): Promise<OpenedQueue> {
  if (!redisUrl) return createLocalQueue({ concurrency, log });
  // Loaded only if used: it takes a good part of a small process's memory.
  const { openBullmqQueue } = await import('../queue/bullmq.ts');
  return openBullmqQueue({ url: redisUrl, name: queueName(targetId), concurrency, log, stopAfterMs });
}

/** The name of a target's queue in Redis. */
export function queueName(targetId: string): string {
  return `feedferry-${targetId}`;
}
