import { CodedError } from '../core/errors.ts';
import { didYouMean } from '../core/suggest.ts';
import type { Config, SyncConfig } from './types.ts';

/**
 * Returns the syncs with the given names, each once, in the order given; all syncs if no name is given.
 * @throws CodedError FF_SYNC_UNKNOWN for the first unknown name
 */
export function selectSyncs(config: Config, names: readonly string[]): SyncConfig[] {
  if (names.length === 0) return config.syncs;
  return [...new Set(names)].map((name) => {
    const sync = config.syncs.find((candidate) => candidate.name === name);
    if (sync) return sync;
    const known = config.syncs.map((candidate) => candidate.name);
    const hint = didYouMean(name, known) || `; the syncs are ${known.join(', ')}`;
    throw new CodedError('FF_SYNC_UNKNOWN', `there is no sync named "${name}"${hint}`);
  });
}
