import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endRun } from './end.ts';

const MEMORY = '/dev/shm';
/** More than all files of a test run at any one time. */
const ROOM_BYTES = 4_000_000_000;
/** Paths of sockets must be short, which those in the folder for temporary files of macOS are not. */
const DISK = process.platform === 'darwin' ? '/tmp' : tmpdir();
const NAME = 'feedferry-tests-';
const GUARD = join(import.meta.dirname, 'guard.ts');

/**
 * Makes a folder for all temporary files of a test run, and removes those that earlier runs have left. A guard ends what the run has
 * started and removes the folder when this process exits, however it does.
 *
 * The folder is in memory if there is room. The tests make hundreds of databases of a thousand files each, which costs a disk
 * several times the processor time.
 * @returns removes the folder
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

/** Folders of runs that have exited. */
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
    // A process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Starts a guard, which notices the end of this process by the end of its standard input. */
function startGuard(folder: string): void {
  const guard = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', GUARD, folder], {
    // In a session of its own: Ctrl-C in a terminal ends all processes of this one.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Neither keeps this process from exiting.
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
}
