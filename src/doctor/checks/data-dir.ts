import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Environment } from '../../app/environment.ts';
import type { Finding } from '../findings/finding.ts';

/** File systems that do not lock files as SQLite needs it, by the type that statfs(2) of Linux tells. */
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

/** Whether the data directory can be written, and is fit for the SQLite ledger. Nothing is made or written. */
export async function* checkDataDir({ dataDir, databaseUrl }: Environment): AsyncGenerator<Finding> {
  const check = 'data';
  const mistake = whyNotWritable(dataDir);
  if (mistake) {
    const holds = databaseUrl ? 'the key of passwords that wait to be delivered' : 'the ledger';
    yield {
      check,
      is: databaseUrl ? 'warning' : 'problem',
      message: `The data directory ${dataDir} cannot be written: ${mistake}.`,
      follows: `It would hold ${holds}.`,
      remedy: 'Point FEEDFERRY_DATA at a folder that this user may write.',
      code: 'FF_DATA_DIR',
    };
    return;
  }
  yield { check, is: 'ok', message: `The data directory ${dataDir} can be written.` };
  if (databaseUrl) return;
  const { type, bavail, bsize } = statfsSync(nearestFolder(dataDir));
  const shared = sharedFileSystem(type);
  if (shared) {
    yield {
      check: 'data.disk',
      is: 'warning',
      message: `The data directory is on a shared or foreign file system (${shared}).`,
      follows: 'SQLite relies on locks and shared memory that such file systems often lack: the ledger may be damaged.',
      remedy: 'Point FEEDFERRY_DATA at a local disk or volume, or move the ledger to PostgreSQL (DATABASE_URL).',
    };
  }
  const freeBytes = bavail * bsize;
  if (freeBytes < SCARCE_BYTES) {
    yield {
      check: 'data.space',
      is: 'warning',
      message: `The disk of the data directory has ${Math.floor(freeBytes / 1_000_000)} MB left.`,
      follows: 'When it is full, runs fail; nothing is lost or doubled.',
      remedy: 'Make room.',
    };
  }
}

/**
 * The name of a file system that is not a local disk, as far as that is known.
 * @param type as statfs tells it
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
    return error instanceof Error ? error.message : String(error);
  }
}

/** What there is of it already: the rest is made when it is needed. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
