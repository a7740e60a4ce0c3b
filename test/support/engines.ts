import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { createPostgresDatabase, type TestDatabase } from './postgres-database.ts';
import { createPostgresTemplate } from './postgres-template.ts';

/** Creates a temporary folder that is removed when the scope with its `using` ends. */
export function temporaryDir(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'feedferry-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

let template: Promise<string> | undefined;

/** Creates a PostgreSQL database for one test, with the tables of the ledger. */
export async function createDatabase(): Promise<TestDatabase> {
  template ??= createPostgresTemplate(inject('postgresUrl'), inject('postgresTemplate'));
  return createPostgresDatabase(inject('postgresUrl'), await template);
}

/** Creates a PostgreSQL database for one test, without tables. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createPostgresDatabase(inject('postgresUrl'));
}

/** Removes the keys of queues whose name starts with `name`. */
export async function removeQueues(name: string): Promise<void> {
  const redis = new Redis(inject('redisUrl'));
  const keys = await redis.keys(`bull:${name}*`);
  if (keys.length > 0) await redis.del(...keys);
  redis.disconnect();
}

export const ledgerEngines = ['sqlite', 'postgresql'] as const;
export const queueEngines = ['in-process', 'bullmq'] as const;

/** Whether this test run has the server that an engine needs. */
export function hasEngine(engine: (typeof ledgerEngines)[number] | (typeof queueEngines)[number]): boolean {
  if (engine === 'postgresql') return inject('postgresUrl') !== '';
  if (engine === 'bullmq') return inject('redisUrl') !== '';
  return true;
}
