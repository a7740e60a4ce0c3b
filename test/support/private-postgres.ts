import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilReady } from './until-ready.ts';

/** A private PostgreSQL for tests, on a Unix socket in a temporary folder. */
export interface PrivatePostgres {
  /** URL of the maintenance database. */
  url: string;
  pid(): number;
  /** Ends the server at once (immediate mode: all connections break and writing stops) and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates and starts a cluster. For root, the server runs as the user `postgres`, because PostgreSQL refuses to run as root.
 * @param options.fsync whether a commit reaches the disk, as in production
 */
export async function startPrivatePostgres(
  bin: string,
  { fsync = false }: { fsync?: boolean } = {},
): Promise<PrivatePostgres> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-pg-'));
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  const socketDir = join(dir, 'socket');
  mkdirSync(socketDir);
  for (const folder of [dir, socketDir]) if (owner) chownSync(folder, owner.uid, owner.gid);

  const data = join(dir, 'data');
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8'], {
    ...owner,
    cwd: dir,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const durability = `fsync=${fsync ? 'on' : 'off'}`;
  const settings = [
    ...['listen_addresses=', durability, 'max_connections=200', `unix_socket_directories=${socketDir}`],
    // Keeps shared memory in files of the data folder, so that nothing remains if the server is killed.
    'dynamic_shared_memory_type=mmap',
  ];
  let server = await launch();
  const quitWithUs = () => server.kill('SIGQUIT');
  process.once('exit', quitWithUs);
  return {
    url: `postgresql://postgres@${encodeURIComponent(socketDir)}/postgres`,
    pid: () => server.pid ?? 0,
    async restart() {
      await quit(server);
      server = await launch();
    },
    async stop() {
      process.off('exit', quitWithUs);
      await quit(server);
      rmSync(dir, { recursive: true, force: true });
    },
  };

  async function launch(): Promise<ChildProcess> {
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(bin, 'postgres'), args, { ...owner, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
    await untilReady('postgres', child, /ready to accept connections/);
    return child;
  }
}

async function quit(server: ChildProcess): Promise<void> {
  server.kill('SIGQUIT');
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}
