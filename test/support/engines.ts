import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { createPostgresDatabase, type TestDatabase } from './postgres-database.ts';
import { createPostgresTemplate } from './postgres-template.ts';

/** A temporary folder that goes away when the scope that made it ends. */
export function temporaryDir(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'feedferry-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

let template: Promise<string> | undefined;

/** A PostgreSQL database of the test's own, with the tables of the ledger. */
export async function createDatabase(): Promise<TestDatabase> {
  template ??= createPostgresTemplate(inject('postgresUrl'), inject('postgresTemplate'));
  return createPostgresDatabase(inject('postgresUrl'), await template);
}

/** A PostgreSQL database of the test's own, without tables. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createPostgresDatabase(inject('postgresUrl'));
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
