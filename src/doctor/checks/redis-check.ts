import type { Environment } from '../../app/environment.ts';
import type { RedisState } from '../../queue/redis-state.ts';
import { type Finding, problemOf } from '../findings/finding.ts';

const OLDEST_REDIS: readonly [number, number] = [6, 2];

/**
 * Whether Redis answers, and keeps what the queue puts there.
 * @param queue its name, once the site is known
 */
export async function* checkRedis({ redisUrl, databaseUrl }: Environment, queue?: string): AsyncGenerator<Finding> {
  if (!redisUrl) {
    yield { check: 'redis', is: 'ok', message: 'Not used: REDIS_URL is not set, each process delivers by itself.' };
    return;
  }
  let state: RedisState;
  try {
    // Loaded only where it is used: it is a good part of a small process's memory.
    const { inspectRedis } = await import('../../queue/redis-state.ts');
    state = await inspectRedis(redisUrl, queue);
  } catch (error) {
    yield problemOf('redis', error, 'Nothing can be delivered; what is pending waits in the ledger.');
    return;
  }
  yield versionOf(state);
  yield evictionOf(state);
  yield persistenceOf(state);
  if (state.jobs) yield jobsOf(state.jobs);
  if (!databaseUrl) {
    yield {
      check: 'redis.workers',
      is: 'ok',
      message: 'All workers must run on this machine: the ledger is SQLite.',
      remedy: 'For workers on other machines, move the ledger to PostgreSQL (DATABASE_URL).',
    };
  }
}

export function versionOf({ version }: Pick<RedisState, 'version'>): Finding {
  const check = 'redis';
  if (!version) return { check, is: 'ok', message: 'Redis answers; it does not tell its version.' };
  const message = `Redis ${version} answers.`;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_REDIS;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return { check, is: 'ok', message };
  return {
    check,
    is: 'problem',
    message,
    follows: 'BullMQ, which keeps the queue, needs a newer one.',
    remedy: `Use Redis ${OLDEST_REDIS.join('.')} or newer.`,
  };
}

export function evictionOf({ evictionPolicy, maxMemory }: Pick<RedisState, 'evictionPolicy' | 'maxMemory'>): Finding {
  const check = 'redis.eviction';
  if (!evictionPolicy) return { check, is: 'ok', message: 'Redis does not tell its maxmemory-policy.' };
  if (evictionPolicy === 'noeviction') return { check, is: 'ok', message: 'maxmemory-policy is noeviction.' };
  return {
    check,
    is: 'problem',
    message: `maxmemory-policy is ${evictionPolicy}, maxmemory ${maxMemory ? `${maxMemory} bytes` : 'not limited so far'}.`,
    follows: 'Where memory runs short, Redis throws jobs away: runs stand still until their records are queued again.',
    remedy: 'Set maxmemory-policy noeviction, in redis.conf or where the Redis is hosted.',
  };
}

export function persistenceOf({ appendOnly, snapshots }: Pick<RedisState, 'appendOnly' | 'snapshots'>): Finding {
  const check = 'redis.persistence';
  if (appendOnly) return { check, is: 'ok', message: 'What is queued outlives a restart: appendonly is on.' };
  if (snapshots) return { check, is: 'ok', message: 'What is queued outlives a restart, but for the last snapshot.' };
  const follows = 'A restart of Redis loses the jobs; the ledger queues them again, which takes a while.';
  const remedy = 'Set appendonly yes.';
  const message = 'Redis keeps nothing on disk: appendonly is off, and save is empty.';
  if (snapshots === false) return { check, is: 'warning', message, follows, remedy };
  return { check, is: 'warning', message: 'appendonly is off, and Redis does not tell if it saves.', follows, remedy };
}

function jobsOf({ waiting = 0, active = 0, delayed = 0, failed = 0 }: NonNullable<RedisState['jobs']>): Finding {
  const message = `Jobs: ${waiting} waiting, ${active} at work, ${delayed} that come back later, ${failed} given up.`;
  return { check: 'redis.jobs', is: 'ok', message };
}
