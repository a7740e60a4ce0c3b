import { Redis } from 'ioredis';
import { countJobs, unavailable } from './bullmq.ts';

/** The settings of a Redis, as far as the server reports them. */
export type RedisState = Awaited<ReturnType<typeof inspectRedis>>;

const CONNECT_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 10_000;

/**
 * Inspects a Redis server and the named queue in it. Writes nothing.
 * @throws CodedError FF_QUEUE_UNAVAILABLE
 */
export async function inspectRedis(url: string, queue?: string) {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: null,
  });
  let lastError: Error | undefined;
  redis.on('error', (error: Error) => {
    lastError = error;
  });
  try {
    await redis.connect();
    const info = parseInfo(await redis.info());
    const maxMemory = info.get('maxmemory');
    return {
      /** For example "7.2.4". */
      version: info.get('redis_version'),
      /** "noeviction", "allkeys-lru", …. */
      evictionPolicy: info.get('maxmemory_policy'),
      /** The server's memory limit, in bytes; 0: none. */
      maxMemory: maxMemory === undefined ? undefined : Number(maxMemory),
      appendOnly: info.get('aof_enabled') === '1',
      /** Whether the server writes snapshots; undefined if the server does not report this, like many hosted ones. */
      snapshots: await redis.config('GET', 'save').then(hasSnapshots, () => undefined),
      /** Jobs of the named queue, by state: waiting, active, delayed, failed. */
      jobs: queue ? await countJobs(queue, redis) : undefined,
    };
  } catch (error) {
    // A refused password is only in the event; the thrown error says that the connection is closed.
    throw unavailable(lastError ?? error, url);
  } finally {
    redis.disconnect();
  }
}

/** Reads the lines `name:value` of INFO. */
function parseInfo(text: string): Map<string, string> {
  const lines = text.matchAll(/^([a-z_\d]+):(.*?)\r?$/gm);
  return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
}

/** Reads the names and values that CONFIG GET returns. */
function hasSnapshots(config: unknown): boolean | undefined {
  return Array.isArray(config) && config[0] === 'save' ? config[1] !== '' : undefined;
}
