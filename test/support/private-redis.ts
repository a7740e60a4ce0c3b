import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { untilReady } from './until-ready.ts';

/** A Redis for this process alone, on a Unix socket in a temporary folder. */
export type PrivateRedis = Awaited<ReturnType<typeof startPrivateRedis>>;

/** The first `redis-server` on PATH, if there is one. */
export function findRedisServer(path = process.env.PATH ?? ''): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, 'redis-server'))
    .find(isExecutable);
}

/**
 * Starts a private Redis with the settings that feedferry needs (noeviction), and waits until it is ready.
 * @throws Error with Redis's own output if it does not start
 */
export async function startPrivateRedis(command: string) {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-redis-'));
  const url = join(dir, 'redis.sock');
  const settings = ['--port', '0', '--unixsocket', url, '--dir', dir, '--save', '', '--maxmemory-policy', 'noeviction'];
  const server = spawn(command, settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await untilReady('redis-server', server, /ready to accept connections/i);
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
  const killWithUs = () => server.kill('SIGKILL');
  process.once('exit', killWithUs);
  return {
    url,
    pid: server.pid ?? 0,
    async stop() {
      process.off('exit', killWithUs);
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGTERM');
        await once(server, 'exit');
      }
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
