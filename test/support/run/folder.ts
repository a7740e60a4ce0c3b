import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endRun } from './end.ts';

const MEMORY = '/dev/shm';
/** Space needed in memory: more than the files of a test run take at any time. */
const ROOM_BYTES = 4_000_000_000;
/** Folder on the disk. Paths of sockets must be short, but the folder for temporary files on macOS has a long path. */
const DISK = process.platform === 'darwin' ? '/tmp' : tmpdir();
const NAME = 'feedferry-tests-';
const GUARD = join(import.meta.dirname, 'guard.ts');

/**
 * Creates a folder for all temporary files of a test run, and removes the folders that earlier runs have left. When this process
 * exits, in whatever way, a guard ends the processes of the run and removes the folder.
 *
 * The folder is in memory if there is room. The tests create hundreds of databases with a thousand files each, which takes a
 * multiple of the processor time on a disk.
 * @returns a function that removes the folder
 */
export async function openRunFolder(): Promise<() => void> {
  await Promise.all([MEMORY, DISK].flatMap(deserted).map(endRun));
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : DISK, `${NAME}${process.pid}-`));
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  startGuard(folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(place: string): boolean {
  if (!existsSync(place)) return false;
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize >= ROOM_BYTES;
}

/** Returns the folders of runs that have exited. */
function deserted(place: string): string[] {
  const names = existsSync(place) ? readdirSync(place) : [];
  return names
    .filter((name) => {
      const pid = new RegExp(`^${NAME}(\\d+)-`).exec(name)?.[1];
      return pid !== undefined && !isRunning(Number(pid));
    })
    .map((name) => join(place, name));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process runs, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Starts a guard, which notices the end of this process by the end of its standard input. */
function startGuard(folder: string): void {
  const guard = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', GUARD, folder], {
    // Starts a new session, because Ctrl-C in a terminal ends all processes of this session.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Neither the guard nor the pipe to it keeps this process running.
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
}
