import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';

const MEMORY = '/dev/shm';

/** More than all files of a test run at any one time. */
const ROOM_BYTES = 4_000_000_000;

/**
 * Lets temporary files lie in memory where there is room for them. The tests make hundreds of databases of a thousand
 * files each, which costs a disk several times the processor time.
 * @returns removes what is left of them
 */
export function keepTemporaryFilesInMemory(): () => void {
  const dir = makeDir();
  if (!dir) return () => {};
  process.env.TMPDIR = dir;
  return () => rmSync(dir, { recursive: true, force: true });
}

function makeDir(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ROOM_BYTES) return undefined;
    const dir = mkdtempSync(`${MEMORY}/feedferry-tests-`);
    // PostgreSQL may run as another user.
    chmodSync(dir, 0o711);
    return dir;
  } catch {
    return undefined;
  }
}
