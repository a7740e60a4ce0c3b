import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxParts } from '../../../src/sandbox/extension.ts';
import type { ItemTable } from '../../../src/sandbox/store/store.ts';

type ResourceSnapshot = ReturnType<ItemTable['dump']>;

/** All items and files of a CMS, in a form that fits in JSON. */
export interface CmsSnapshot {
  events: ResourceSnapshot;
  accounts: ResourceSnapshot;
  /** Path below the folder of uploads → base64. */
  uploads: Record<string, string>;
}

/** Returns all items and files. */
export function takeSnapshot({ store, uploads: { folder } }: SandboxParts): CmsSnapshot {
  const files = globSync('*/*', { cwd: folder });
  return {
    events: store.events.dump(),
    accounts: store.accounts.dump(),
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
  parts.store.transaction(() => {
    for (const resource of ['events', 'accounts'] as const) {
      const { index, table } = parts[resource];
      const { items, nextId } = snapshot[resource];
      const rows = items.map(({ instance, ...item }) => ({ ...item, columns: { instance, ...index(item.data) } }));
      table.replaceAll(rows, nextId);
    }
  });
}
