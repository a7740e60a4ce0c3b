import type { TestProject } from 'vitest/node';
import { findPrograms } from '../../find-programs.ts';
import { startPrivatePostgres } from '../../private-postgres.ts';
import { startPrivateRedis } from '../../private-redis.ts';
import { openRunFolder } from '../folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Process ids of the servers. */
    pids: number[];
  }
}

/** Starts the servers that every test run starts. */
export default async function setup(project: TestProject): Promise<void> {
  await openRunFolder();
  const { redisServer, postgresBin } = findPrograms();
  const redis = redisServer ? await startPrivateRedis(redisServer) : undefined;
  const postgres = postgresBin ? await startPrivatePostgres(postgresBin) : undefined;
  project.provide('pids', [redis?.pid ?? [], postgres?.pid() ?? []].flat());
}
