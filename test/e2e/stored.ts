import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { inject } from 'vitest';
import type { Engines, Site } from './site.ts';

/** Returns all data that is stored for a site outside of its config: place → content. */
export async function storedBy(site: Site, engines: Engines, queue: string): Promise<Record<string, string>> {
  return {
    ...filesBelow(join(site.dir, 'data')),
    ...(engines.ledger === 'postgresql' ? await tablesOf(site.variables.DATABASE_URL ?? '') : {}),
    ...(engines.queue === 'bullmq' ? await keysOf(`bull:${queue}*`) : {}),
  };
}

/** Returns files byte for byte, so that data that SQLite has deleted but not overwritten counts, too. */
function filesBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, 'latin1')]));
}

async function tablesOf(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ table_name: string }>(
      `select table_name from information_schema.tables where table_schema = 'public'`,
    );
    const stored: Record<string, string> = {};
    for (const { table_name } of rows) {
      stored[table_name] = JSON.stringify((await client.query(`select * from "${table_name}"`)).rows);
    }
    return stored;
  } finally {
    await client.end();
  }
}

async function keysOf(pattern: string): Promise<Record<string, string>> {
  const redis = new Redis(inject('redisUrl'));
  try {
    const stored: Record<string, string> = {};
    for (const key of await redis.keys(pattern)) stored[key] = JSON.stringify(await contentOf(redis, key));
    return stored;
  } finally {
    redis.disconnect();
  }
}

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'hash') return redis.hgetall(key);
  if (type === 'list') return redis.lrange(key, 0, -1);
  if (type === 'zset') return redis.zrange(key, 0, '-1', 'WITHSCORES');
  if (type === 'set') return redis.smembers(key);
  if (type === 'stream') return redis.xrange(key, '-', '+');
  return redis.get(key);
}
