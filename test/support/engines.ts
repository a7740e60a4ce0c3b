import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { createDatabaseOn, type TestDatabase } from './databases.ts';

/** A temporary folder that goes away when the scope that made it ends. */
export function temporaryDir(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'feedferry-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A PostgreSQL database of the test's own. */
export function createDatabase(): Promise<TestDatabase> {
  return createDatabaseOn(inject('postgresUrl'));
}

/** Removes the keys of queues whose name starts so. */
export async function removeQueues(name: string): Promise<void> {
  const redis = new Redis(inject('redisUrl'));
  const keys = await redis.keys(`bull:${name}*`);
  if (keys.length > 0) await redis.del(...keys);
  redis.disconnect();
}

export const ledgerEngines = ['sqlite', 'postgresql'] as const;
export const queueEngines = ['in-process', 'bullmq'] as const;

/** Whether the servers of an engine are at hand in this run. */
export function hasEngine(engine: (typeof ledgerEngines)[number] | (typeof queueEngines)[number]): boolean {
  if (engine === 'postgresql') return inject('postgresUrl') !== '';
  if (engine === 'bullmq') return inject('redisUrl') !== '';
  return true;
}
