import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type Child, killHard, startChild } from '../child.ts';
import { untilReady } from '../until.ts';

/** A Redis with an append-only file that comes back after SIGKILL with what it had. */
export interface CrashingRedis {
  /** Path of its socket, the same after every restart. */
  url: string;
  restart(downMs: number): Promise<void>;
  flushAll(): Promise<void>;
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** Starts a Redis that keeps its data in `dir` (short: paths of sockets are). */
export async function startRedis(command: string, dir: string): Promise<CrashingRedis> {
  const url = join(dir, 'redis.sock');
  const settings = ['--port', '0', '--unixsocket', url, '--dir', dir, '--save', '', '--appendonly', 'yes'];
  let starts = 0;
  let server = await start();
  return {
    url,
    async restart(downMs) {
      await killHard(server);
      await sleep(downMs);
      server = await start();
    },
    async flushAll() {
      const redis = new Redis(url);
      await redis.flushall();
      redis.disconnect();
    },
    isRunning: () => server.isRunning(),
    stop: () => killHard(server),
  };

  async function start(): Promise<Child> {
    starts += 1;
    const child = startChild(command, [...settings, '--maxmemory-policy', 'noeviction'], join(dir, `redis-${starts}`));
    await untilReady(child, 'Redis', (said) => /ready to accept connections/i.test(said));
    return child;
  }
}
