import type { Logger } from 'pino';
import type { DeliveryQueue } from '../core/queue.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import { createLocalQueue } from '../queue/local.ts';
import type { Environment } from './environment.ts';

/** While the records of one job are settled, those of a second job are delivered and those of a third are claimed. */
const JOBS_AT_ONCE = 3;

/**
 * Opens the queue of a target: BullMQ if there is a Redis, else one in this process.
 * @throws CodedError FF_QUEUE_UNAVAILABLE
 */
export async function openQueue(
  { redisUrl, stopAfterMs }: Environment,
  { targetId, log, runtime }: { targetId: string; log: Logger; runtime: Runtime },
): Promise<DeliveryQueue> {
  if (!redisUrl) return createLocalQueue({ concurrency: JOBS_AT_ONCE, log, clock: runtime });
  // BullMQ is loaded only if it is used: it would take much of a small process's memory.
  const { openBullmqQueue } = await import('../queue/bullmq.ts');
  const name = queueName(targetId);
  return openBullmqQueue({ url: redisUrl, name, concurrency: JOBS_AT_ONCE, log, stopAfterMs });
}

/** The name of a target's queue in Redis. */
export function queueName(targetId: string): string {
  return `feedferry-${targetId}`;
}
