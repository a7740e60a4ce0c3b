import { sha256 } from '../../../src/core/hash.ts';
import type { SentFile, SimulatedCms } from '../world/cms.ts';
import type { Database } from '../world/database.ts';
import type { Item } from '../world/items.ts';
import type { Finding } from './finding.ts';

/** Looks at uploads: a file is uploaded if the ledger did not know it when it was read, and only then. */
export type UploadWatch = ReturnType<typeof createUploadWatch>;

export function createUploadWatch(database: Database) {
  /** What processes have read, and no one has uploaded as far as the ledger knew. */
  const toUpload = new Set<string>();
  const findings: Finding[] = [];
  return { findings, onRead, onUpload };

  function onRead(by: string, hash: string): void {
    if (!isKnown(database, hash)) toUpload.add(`${by} ${hash}`);
  }

  /** @param atOnce uploads of the file that the process is waiting for */
  function onUpload({ content }: SentFile, by: string, atOnce: number): void {
    const why = atOnce > 1 ? 'is being uploaded' : 'was uploaded before';
    if (toUpload.delete(`${by} ${sha256(content)}`) && atOnce <= 1) return;
    findings.push({ is: 'uploaded again', what: `${by} uploads "${content}", which ${why}` });
  }
}

/** Whether the ledger knows the files of items, so that no one uploads them again. */
export function checkUploads(database: Database, cms: SimulatedCms, items: readonly Item[]): Finding[] {
  return items.flatMap((item) => {
    const content = contentOf(item, cms);
    if (content === undefined || isKnown(database, sha256(content))) return [];
    return [{ is: 'uploaded again', what: `the ledger does not know "${content}", which item ${item.id} has` }];
  });
}

/** The content of an item's image; undefined if it has none. */
export function contentOf({ image }: Item, { files }: SimulatedCms): string | undefined {
  return files.get((image as { src: string } | undefined)?.src ?? '');
}

function isKnown({ db }: Database, hash: string): boolean {
  return db.prepare('select 1 from uploads where sha256 = ?').get(hash) !== undefined;
}
