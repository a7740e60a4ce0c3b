import { CodedError } from '../core/errors.ts';
import { didYouMean } from '../core/suggest.ts';
import type { Config, SyncConfig } from './types.ts';

/**
 * The syncs of those names, each once, in the order named; all syncs when none is named.
 * @throws CodedError FF_SYNC_UNKNOWN for the first name that no sync file has.
 */
export function selectSyncs(config: Config, names: readonly string[]): SyncConfig[] {
  if (names.length === 0) return config.syncs;
  return [...new Set(names)].map((name) => {
    const sync = config.syncs.find((candidate) => candidate.name === name);
    if (sync) return sync;
    const known = config.syncs.map((candidate) => candidate.name);
    const hint = didYouMean(name, known) || `; there are ${known.join(', ')}`;
    throw new CodedError('FF_SYNC_UNKNOWN', `there is no sync named "${name}"${hint}`);
  });
}
