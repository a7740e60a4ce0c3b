import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findRedisServer } from './private-redis.ts';

/** Names of the browser on Debian and on Fedora, and of Chrome. */
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];
const CHROME_OF_MACOS = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

export interface TestPrograms {
  redisServer?: string;
  /** Folder of initdb and postgres. */
  postgresBin?: string;
  chromium?: string;
}

/** The programs that are needed. */
export type Needs = Record<'redis' | 'postgres', boolean> & { chromium?: boolean };

/** Finds Redis, PostgreSQL and Chromium. As root on Debian, installs missing programs, with a message. */
export function findTestPrograms(needs: Needs): TestPrograms {
  const missing = missingPackages(needs);
  if (missing.length > 0 && mayInstall()) install(missing);
  return findPrograms();
}

/** Returns the Debian packages of the programs that are needed but missing. */
export function missingPackages(needs: Needs): string[] {
  const { redisServer, postgresBin, chromium } = findPrograms();
  return [
    ...(needs.redis && !redisServer ? ['redis-server'] : []),
    ...(needs.postgres && !postgresBin ? ['postgresql'] : []),
    ...(needs.chromium && !chromium ? ['chromium'] : []),
  ];
}

/** Finds the programs that are installed. */
export function findPrograms(): TestPrograms {
  return { redisServer: findRedisServer(), postgresBin: findPostgres(), chromium: findChromium() };
}

function findPostgres(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const installed = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : [];
  return [...installed.sort().reverse(), ...pathFolders()].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

export function findChromium(): string | undefined {
  const programs = pathFolders().flatMap((folder) => BROWSERS.map((name) => join(folder, name)));
  return [...programs, CHROME_OF_MACOS].find((program) => existsSync(program));
}

function pathFolders(): string[] {
  return (process.env.PATH ?? '').split(delimiter);
}

function mayInstall(): boolean {
  return process.env.TEST_NO_INSTALL === undefined && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** Installs packages. Does not throw: if the installation fails, callers do not find the programs. */
function install(packages: string[]): void {
  const commands = [['update'], ['install', '-y', '--no-install-recommends', ...packages]];
  console.error(
    `${packages.join(', ')}: needed by the tests, and not installed. Installing now with\n` +
      `  ${commands.map((args) => `apt-get ${args.join(' ')}`).join(' && ')}\n` +
      'To prevent this, set TEST_NO_INSTALL=1; or REDIS_URL and DATABASE_URL, if you have servers.',
  );
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    for (const args of commands)
      execFileSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}
