import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findRedisServer } from '../../src/cli/commands/sandbox/private-redis.ts';

export interface ServerPrograms {
  redisServer?: string;
  /** Folder of initdb and postgres. */
  postgresBin?: string;
}

/** Finds Redis and PostgreSQL, and installs what is missing where it may: as root on Debian. */
export function findServerPrograms(needs: { redis: boolean; postgres: boolean }): ServerPrograms {
  const missing = [
    ...(needs.redis && !findRedisServer() ? ['redis-server'] : []),
    ...(needs.postgres && !findPostgres() ? ['postgresql'] : []),
  ];
  if (missing.length > 0 && mayInstall()) install(missing);
  return { redisServer: findRedisServer(), postgresBin: findPostgres() };
}

function findPostgres(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const installed = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : [];
  return [...installed.sort().reverse(), ...(process.env.PATH ?? '').split(delimiter)].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function install(packages: string[]): void {
  console.error(`Installing ${packages.join(' and ')} for the tests …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) =>
    execFileSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  // A freshly installed server need not run: the tests start their own.
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...packages);
}
