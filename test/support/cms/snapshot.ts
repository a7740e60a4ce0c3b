import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxParts } from '../../../src/sandbox/start.ts';
import { dumpRows, inTransaction, type Rows, replaceRows } from './store-rows.ts';

/** All items and files of a CMS, in a form that fits in JSON. */
export interface CmsSnapshot {
  events: Rows;
  accounts: Rows;
  /** Path below the folder of uploads → base64. */
  uploads: Record<string, string>;
}

/** Returns all items and files. */
export function takeSnapshot({ store, uploads: { folder } }: SandboxParts): CmsSnapshot {
  const files = globSync('*/*', { cwd: folder });
  return {
    events: dumpRows(store, 'events'),
    accounts: dumpRows(store, 'accounts'),
    uploads: Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'base64')])),
  };
}

/** Replaces all items and files by those of a snapshot. */
export function restoreSnapshot({ uploads: { folder }, ...parts }: SandboxParts, snapshot: CmsSnapshot): void {
  for (const file of globSync('*/*', { cwd: folder })) {
    if (!(file in snapshot.uploads)) rmSync(join(folder, file));
  }
  for (const [file, content] of Object.entries(snapshot.uploads)) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) writeFileSync(path, content, 'base64');
  }
  inTransaction(parts.store, () => {
    for (const resource of ['events', 'accounts'] as const) {
      replaceRows(parts.store, resource, snapshot[resource], parts[resource].index);
    }
  });
}
