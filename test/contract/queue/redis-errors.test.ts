import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { inspectRedis } from '../../../src/queue/redis-state.ts';
import { startRedis } from '../../crash/servers/redis.ts';
import { findRedisServer } from '../../support/private-redis.ts';

const redisServer = findRedisServer();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test.runIf(redisServer)('A wrong password of Redis is named', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-redis-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const server = await startRedis(redisServer ?? '', dir);
  onTestFinished(server.stop);
  const port = await freePort();
  const redis = new Redis(server.url);
  await redis.config('SET', 'port', String(port));
  await redis.config('SET', 'requirepass', 'right');
  redis.disconnect();
  const wrong = inspectRedis(`redis://:wrong@127.0.0.1:${port}`);
  await expect(wrong).rejects.toThrow(/^Redis \(REDIS_URL\) failed: WRONGPASS/);
});
