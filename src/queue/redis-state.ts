import { Redis } from 'ioredis';
import { countJobs, unavailable } from './bullmq.ts';

/** A Redis as it is set up, as far as it tells; nothing is written. */
export interface RedisState {
  /** "7.2.4"; absent: it does not say. */
  version?: string;
  /** "noeviction", "allkeys-lru", …. */
  evictionPolicy?: string;
  /** Memory that it may use, in bytes; 0: all there is. */
  maxMemory?: number;
  appendOnly: boolean;
  /** Whether it writes snapshots by itself; undefined where it does not tell, as with hosted ones. */
  snapshots?: boolean;
  /** Jobs of the queue that was named, by their state: waiting, active, delayed, failed. */
  jobs?: Record<string, number>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 10_000;

/**
 * Looks at a Redis, and at the queue of that name in it.
 * @throws CodedError FF_QUEUE_UNAVAILABLE
 */
export async function inspectRedis(url: string, queue?: string): Promise<RedisState> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: null,
  });
  // What goes wrong is thrown where it is asked for; without a listener it would be printed as well.
  redis.on('error', () => {});
  try {
    await redis.connect();
    const info = parseInfo(await redis.info());
    const save = await redis.config('GET', 'save').catch(() => undefined);
    const jobs = queue ? { jobs: await countJobs(queue, redis) } : {};
    return { ...settingsOf(info), ...snapshots(save), ...jobs };
  } catch (error) {
    throw unavailable(error);
  } finally {
    redis.disconnect();
  }
}

/** The lines `name:value` of INFO. */
function parseInfo(text: string): Map<string, string> {
  const lines = text.matchAll(/^([a-z_\d]+):(.*?)\r?$/gm);
  return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
}

function settingsOf(info: Map<string, string>): Omit<RedisState, 'jobs' | 'snapshots'> {
  const version = info.get('redis_version');
  const evictionPolicy = info.get('maxmemory_policy');
  const maxMemory = info.get('maxmemory');
  return {
    appendOnly: info.get('aof_enabled') === '1',
    ...(version ? { version } : {}),
    ...(evictionPolicy ? { evictionPolicy } : {}),
    ...(maxMemory ? { maxMemory: Number(maxMemory) } : {}),
  };
}

/** CONFIG GET answers a list of names and values. */
function snapshots(answer: unknown): Pick<RedisState, 'snapshots'> {
  if (!Array.isArray(answer) || answer[0] !== 'save') return {};
  return { snapshots: answer[1] !== '' };
}
