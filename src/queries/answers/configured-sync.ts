import { syncNamed, withBroken } from '../../config/select.ts';
import type { Config, SyncConfig } from '../../config/types.ts';

/** A sync that has a file. If the file has mistakes, perhaps only the name is known. */
export type ConfiguredSync = Pick<SyncConfig, 'name'> & Partial<SyncConfig>;

/**
 * Returns a sync that has a file. If the file has mistakes, the sync may have only a name.
 * @throws CodedError FF_SYNC_UNKNOWN
 */
export function configuredSync(name: string, config: Config): ConfiguredSync {
  return syncNamed(name, withBroken(config));
}
