import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 2_000;
const MOST_MS = 5_000;
const LOOK_MS = 20;

/**
 * Ends the processes of a test run, and removes its folder. Processes of a run know the folder: by TMPDIR, or as the place of their
 * data.
 */
export async function endRun(folder: string): Promise<void> {
  // A PostgreSQL that is killed leaves shared memory behind.
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
    // That of another user, or the guard of the run removes it at the same time.
  }
}

/** Processes that name the folder in their command line or environment. Linux shows both; elsewhere, none are found. */
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

/** Of a process that may have exited, or that belongs to another user: nothing. */
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
    // It has exited.
  }
}
