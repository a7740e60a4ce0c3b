import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findRedisServer } from '../../src/cli/commands/sandbox/private-redis.ts';

const BROWSERS = ['chromium', 'google-chrome'];

export interface TestPrograms {
  redisServer?: string;
  /** Folder of initdb and postgres. */
  postgresBin?: string;
  chromium?: string;
}

/** Finds Redis, PostgreSQL and Chromium, and installs what is missing where it may: as root on Debian. */
export function findTestPrograms(needs: { redis: boolean; postgres: boolean; chromium?: boolean }): TestPrograms {
  const missing = [
    ...(needs.redis && !findRedisServer() ? ['redis-server'] : []),
    ...(needs.postgres && !findPostgres() ? ['postgresql'] : []),
    ...(needs.chromium && !findChromium() ? ['chromium'] : []),
  ];
  if (missing.length > 0 && mayInstall()) install(missing);
  return { redisServer: findRedisServer(), postgresBin: findPostgres(), chromium: findChromium() };
}

function findPostgres(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const installed = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : [];
  return [...installed.sort().reverse(), ...pathFolders()].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

/** Finds the browser of Debian, or Chrome. */
export function findChromium(): string | undefined {
  const programs = pathFolders().flatMap((folder) => BROWSERS.map((name) => join(folder, name)));
  return programs.find((program) => existsSync(program));
}

function pathFolders(): string[] {
  return (process.env.PATH ?? '').split(delimiter);
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
