import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Each one looked at costs a copy of the ledger. */
const MOST_UNDONE = 40;

/**
 * Undoes what a power failure may undo of a ledger that no process uses any more: the last commits of its write-ahead log, as
 * far as they only settle deliveries. The log reaches the disk with every other commit.
 * @returns how many commits are undone
 */
export function cutPower(file: string): number {
  const log = `${file}-wal`;
  if (!existsSync(log)) return 0;
  const ends = commitEnds(readFileSync(log));
  const settledAt = (end: number) => countHistory(file, end);
  let kept = ends.length;
  while (
    kept > 1 &&
    ends.length - kept < MOST_UNDONE &&
    settledAt(ends[kept - 2] ?? 0) < settledAt(ends[kept - 1] ?? 0)
  ) {
    kept -= 1;
  }
  if (kept === ends.length) return 0;
  truncateSync(log, ends[kept - 1]);
  rmSync(`${file}-shm`, { force: true });
  return ends.length - kept;
}

/** Where the commits of a write-ahead log end, in bytes (SQLite: "WAL File Format"). Frames with other salts are old ones. */
function commitEnds(log: Buffer): number[] {
  if (log.length < HEADER_BYTES) return [];
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  const ends: number[] = [];
  for (let at = HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    if (!log.subarray(at + 8, at + 16).equals(salts)) break;
    const isCommit = log.readUInt32BE(at + 4) > 0;
    if (isCommit) ends.push(at + frameBytes);
  }
  return ends;
}

/** How many deliveries are settled if the log ends there. */
function countHistory(file: string, end: number): number {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-power-cut-'));
  try {
    const copy = join(dir, 'ledger.sqlite');
    copyFileSync(file, copy);
    copyFileSync(`${file}-wal`, `${copy}-wal`);
    truncateSync(`${copy}-wal`, end);
    const database = new DatabaseSync(copy);
    const row = database.prepare('select count(*) as settled from attempts where settled_at is not null').get();
    database.close();
    return Number(row?.settled);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
