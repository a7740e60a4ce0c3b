import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { startFeedferry } from '../../crash/child.ts';
import { startRedis } from '../../crash/servers/redis.ts';
import { until } from '../../crash/until.ts';
import { findRedisServer } from '../../support/private-redis.ts';
import { openSite, simplest } from '../site.ts';

const redisServer = findRedisServer();

describe.runIf(redisServer && inject('redisUrl'))('Workers whose Redis has stopped', () => {
  test('A worker without its Redis ends on SIGTERM', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'feedferry-redis-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const redis = await startRedis(redisServer ?? '', dir);
    await using site = await openSite(simplest);
    site.write('syncs/talks.yaml', 'resource: events\nsource: { connector: csv, url: ./talks.csv }\nkey: id\n');
    const variables = { ...site.variables, REDIS_URL: redis.url, LOG_LEVEL: 'info', STOP_AFTER: '0.5' };
    const worker = startFeedferry(['worker'], join(dir, 'worker'), variables);
    onTestFinished(() => worker.kill('SIGKILL'));
    await until('the worker is ready', 60_000, () => worker.stderr().includes('ready') || undefined);
    await redis.stop();
    await until('the worker has noticed', 60_000, () => worker.stderr().includes('Redis failed') || undefined);
    worker.kill('SIGTERM');
    expect(await worker.exited).toEqual({ exitCode: 143, signal: null });
  });
});
