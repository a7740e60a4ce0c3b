import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 2_000;
const MOST_MS = 5_000;
const LOOK_MS = 20;

/**
 * Ends the processes of a test run, and removes its folder. The processes are found by the path of the folder: it is their TMPDIR,
 * or the place of their data.
 */
export async function endRun(folder: string): Promise<void> {
  // SIGINT first, because a PostgreSQL that is killed leaves shared memory behind.
  for (const pid of processesThatKnow(folder)) end(pid, 'SIGINT');
  for (let ms = 0; ms < MOST_MS; ms += LOOK_MS) {
    const left = processesThatKnow(folder);
    if (left.length === 0) break;
    if (ms >= GRACE_MS) for (const pid of left) end(pid, 'SIGKILL');
    await sleep(LOOK_MS);
  }
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // The folder belongs to another user, or the guard of the run removes it at the same time.
  }
}

/** Returns the processes with the folder in their command line or environment. Only Linux shows these; elsewhere, returns none. */
function processesThatKnow(folder: string): number[] {
  return listOf('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(
      (pid) => contentOf(`/proc/${pid}/cmdline`).includes(folder) || contentOf(`/proc/${pid}/environ`).includes(folder),
    )
    .map(Number);
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the content of a file; empty if the process has exited or belongs to another user. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has exited.
  }
}
