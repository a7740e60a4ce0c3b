import { selectSyncs, withBroken } from '../../config/select.ts';
import type { Config, SyncConfig } from '../../config/types.ts';

/** A sync; of one whose file has mistakes, only the name may be known. */
export type KnownSync = Pick<SyncConfig, 'name'> & Partial<SyncConfig>;
/**
 * Returns a sync that has a file; if the file has mistakes, perhaps only its name.
 * @throws CodedError FF_SYNC_UNKNOWN
 */
export function knownSync(name: string, config: Config): KnownSync {
  const [sync] = selectSyncs(withBroken(config), [name]) as [KnownSync];
  return sync;
}

/**
 * Returns a sync that can run.
 * @throws CodedError FF_SYNC_UNKNOWN, ConfigError if its file has mistakes
 */
export function usableSync(name: string, config: Config): SyncConfig {
  const [sync] = selectSyncs(config, [name]) as [SyncConfig];
  return sync;
}
