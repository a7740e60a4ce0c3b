import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Environment } from '../../app/environment.ts';
import { errorTable, messageOf } from '../../core/errors.ts';
import { type Finding, ok } from '../findings/finding.ts';

/** File systems without the file locks that SQLite needs, by their type in statfs(2) of Linux. */
const SHARED_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  16914839: '9P',
  1397113167: 'AFS',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1702057286: 'FUSE',
};
const SCARCE_BYTES = 100_000_000;

/** Checks that the data directory is writable and suits the SQLite ledger, without creating or writing anything. */
export async function* checkDataDir({ dataDir, databaseUrl }: Environment): AsyncGenerator<Finding> {
  const check = 'data';
  const mistake = whyNotWritable(dataDir);
  if (mistake) {
    yield {
      check,
      is: databaseUrl ? 'warning' : 'problem',
      message: `The data directory ${dataDir} is not writable: ${mistake}.`,
      follows: `It stores the ${databaseUrl ? 'key of pending passwords' : 'ledger'}.`,
      remedy: errorTable.FF_DATA_DIR.remedy,
      code: 'FF_DATA_DIR',
    };
    return;
  }
  yield ok(check, `The data directory ${dataDir} is writable.`);
  if (databaseUrl) return;
  const { type, bavail, bsize } = statfsSync(nearestFolder(dataDir));
  const shared = sharedFileSystem(type);
  if (shared) {
    yield {
      check: 'data.disk',
      is: 'warning',
      message: `The data directory is on a shared or remote file system (${shared}).`,
      follows: 'SQLite needs locks and shared memory, which such file systems often lack. The ledger may be damaged.',
      remedy: 'Point FEEDFERRY_DATA at a local disk or volume, or move the ledger to PostgreSQL (DATABASE_URL).',
    };
  }
  const freeBytes = bavail * bsize;
  if (freeBytes < SCARCE_BYTES) {
    yield {
      check: 'data.space',
      is: 'warning',
      message: `The disk of the data directory has only ${Math.floor(freeBytes / 1_000_000)} MB left.`,
      follows: 'When it is full, runs fail. Nothing is lost or duplicated.',
      remedy: 'Free up disk space.',
    };
  }
}

/**
 * Returns the name of a file system that is known not to be a local disk.
 * @param type type of the file system as statfs returns it
 */
export function sharedFileSystem(type: number, platform: NodeJS.Platform = process.platform): string | undefined {
  return platform === 'linux' ? SHARED_FILE_SYSTEMS[type] : undefined;
}

function whyNotWritable(dataDir: string): string | undefined {
  try {
    const folder = nearestFolder(dataDir);
    if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the part of the path that exists. The other folders are created when they are needed. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
