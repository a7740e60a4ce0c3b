import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { buildProgram } from '../../scripts/build-program.ts';
import { findTestPrograms } from './find-programs.ts';
import { onDatabase } from './postgres-database.ts';
import { startPrivatePostgres } from './private-postgres.ts';
import { startPrivateRedis } from './private-redis.ts';
import { openRunFolder } from './run/folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a Redis; empty if there is none, so that suites with Redis are skipped. */
    redisUrl: string;
    /** URL of the maintenance database of a PostgreSQL; empty if there is none. */
    postgresUrl: string;
    /** Name of the template database with the tables of the ledger. The first test that needs the template creates it. */
    postgresTemplate: string;
    /** Path of a browser; empty if there is none. */
    chromium: string;
  }
}

/**
 * Provides what the whole test run shares: the built program, a browser, and servers. Uses the servers of the environment, or
 * else starts private servers. If this is not possible either, prints that they are missing.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildProgram();
  project.onTestsRerun(async () => buildProgram());
  const removeRunFolder = await openRunFolder();

  const { REDIS_URL, DATABASE_URL } = process.env;
  const {
    redisServer,
    postgresBin,
    chromium = '',
  } = findTestPrograms({
    redis: !REDIS_URL,
    postgres: !DATABASE_URL,
    chromium: true,
  });
  const redis = !REDIS_URL && redisServer ? await startPrivateRedis(redisServer) : undefined;
  const postgres = !DATABASE_URL && postgresBin ? await startPrivatePostgres(postgresBin) : undefined;

  const redisUrl = REDIS_URL ?? redis?.url ?? '';
  const postgresUrl = DATABASE_URL ?? postgres?.url ?? '';
  announce('Redis', redisUrl, ' or set REDIS_URL');
  announce('PostgreSQL', postgresUrl, ' or set DATABASE_URL');
  announce('Chromium', chromium);
  project.provide('redisUrl', redisUrl);
  const postgresTemplate = `feedferry_template_${randomBytes(6).toString('hex')}`;
  project.provide('postgresUrl', postgresUrl);
  project.provide('postgresTemplate', postgresTemplate);
  project.provide('chromium', chromium);

  return async () => {
    await redis?.stop();
    if (DATABASE_URL) await onDatabase(DATABASE_URL, `drop database if exists ${postgresTemplate}`);
    await postgres?.stop();
    removeRunFolder();
  };
}

function announce(program: string, found: string, alternative = ''): void {
  if (found) return;
  if (process.env.CI) throw new Error(`CI leaves no suite out, but no ${program} could be had.`);
  console.error(`LEFT OUT: the suites that need ${program}. Install it ("npm run test:setup")${alternative}.`);
}
