import { join } from 'node:path';
import type { Resource } from '../core/record.ts';
import { sourceFile } from './schema/source-schema.ts';
import { syncFile } from './schema/sync-schema.ts';
import type { Config, SyncConfig } from './types.ts';

/** Returns a config for a sync that no longer has a file: enough to find and delete its items, but without a feed. */
export function orphanSync(
  { sync: name, resource, instance }: { sync: string; resource: Resource; instance?: string },
  { dir, target }: Pick<Config, 'dir' | 'target'>,
): SyncConfig {
  const folder = join(dir, 'syncs');
  const source = sourceFile(['json'], dir).parse({ connector: 'json', url: '-' });
  const keys = syncFile(folder, target.timezone).parse({ resource, instance, key: 'id' });
  return { ...keys, name, file: join(folder, `${name}.yaml`), source: { ...source, options: {} } };
}
