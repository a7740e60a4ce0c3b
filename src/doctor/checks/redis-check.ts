import type { Environment } from '../../app/environment.ts';
import type { RedisState } from '../../queue/redis-state.ts';
import { type Finding, ok, problemOf } from '../findings/finding.ts';

const OLDEST_REDIS = '6.2';

/**
 * Checks that Redis responds and keeps the jobs of the queue.
 * @param queue the name of the queue, if the site is known
 */
export async function* checkRedis({ redisUrl, databaseUrl }: Environment, queue?: string): AsyncGenerator<Finding> {
  if (!redisUrl) {
    yield ok('redis', 'Not used: REDIS_URL is not set. Each process delivers on its own.');
    return;
  }
  let state: RedisState;
  try {
    // BullMQ is loaded only if it is used: it would take much of a small process's memory.
    const { inspectRedis } = await import('../../queue/redis-state.ts');
    state = await inspectRedis(redisUrl, queue);
  } catch (error) {
    yield problemOf('redis', error, 'Nothing can be delivered. Pending records wait in the ledger.');
    return;
  }
  yield versionOf(state);
  yield evictionOf(state);
  yield persistenceOf(state);
  if (state.jobs) yield jobsOf(state.jobs);
  if (!databaseUrl) {
    const message = 'All workers must run on this machine, because the ledger is SQLite.';
    const remedy = 'To run workers on other machines, move the ledger to PostgreSQL (DATABASE_URL).';
    yield { ...ok('redis.workers', message), remedy };
  }
}

export function versionOf({ version }: Partial<RedisState>): Finding {
  const check = 'redis';
  if (!version) return ok(check, 'Redis responds, but does not report its version.');
  const message = `Redis ${version} responds.`;
  if (version.localeCompare(OLDEST_REDIS, 'en', { numeric: true }) >= 0) return ok(check, message);
  return {
    check,
    is: 'problem',
    message,
    follows: 'BullMQ, the queue, needs a newer version.',
    remedy: `Use Redis ${OLDEST_REDIS} or newer.`,
  };
}

export function evictionOf({ evictionPolicy, maxMemory }: Partial<RedisState>): Finding {
  const check = 'redis.eviction';
  if (!evictionPolicy) return ok(check, 'Redis does not report its maxmemory-policy.');
  if (evictionPolicy === 'noeviction') return ok(check, 'maxmemory-policy is noeviction.');
  return {
    check,
    is: 'problem',
    message: `maxmemory-policy is ${evictionPolicy}, maxmemory is ${maxMemory ? `${maxMemory} bytes` : 'not limited'}.`,
    follows: 'When memory runs short, Redis drops jobs. Runs then stall until their records are queued again.',
    remedy: 'Set maxmemory-policy noeviction in redis.conf, or in the settings of the Redis host.',
  };
}

export function persistenceOf({ appendOnly, snapshots }: Partial<RedisState>): Finding {
  const check = 'redis.persistence';
  if (appendOnly) return ok(check, 'Queued jobs survive a restart: appendonly is on.');
  if (snapshots) return ok(check, 'Queued jobs survive a restart, except those since the last snapshot.');
  const follows = 'A restart of Redis loses the jobs. They are queued again from the ledger, which takes a while.';
  const message =
    snapshots === false
      ? 'Redis stores nothing on disk: appendonly is off and save is empty.'
      : 'appendonly is off, and Redis does not report whether it saves snapshots.';
  return { check, is: 'warning', message, follows, remedy: 'Set appendonly yes.' };
}

function jobsOf({ waiting = 0, active = 0, delayed = 0, failed = 0 }: NonNullable<RedisState['jobs']>): Finding {
  return ok('redis.jobs', `Jobs: ${waiting} waiting, ${active} active, ${delayed} delayed, ${failed} failed.`);
}
