import { CodedError } from '../core/errors.ts';
import { didYouMean } from '../core/suggest.ts';
import { ConfigError } from './files/problems.ts';
import type { BrokenSync, Config, SyncConfig } from './types.ts';

/** Syncs, and the files of others that have mistakes. */
type Syncs<Sync> = { syncs: Sync[] } & Pick<Config, 'broken'>;

/**
 * Returns the sync with a name.
 * @throws ConfigError if its file has mistakes, CodedError FF_SYNC_UNKNOWN for an unknown name
 */
export function syncNamed<Sync extends { name: string }>(name: string, { syncs, broken }: Syncs<Sync>): Sync {
  const sync = syncs.find((candidate) => candidate.name === name);
  if (sync) return sync;
  const mistaken = broken.find((candidate) => candidate.name === name);
  if (mistaken) throw new ConfigError(mistaken.problems);
  const known = syncNames({ syncs, broken });
  const hint = didYouMean(name, known) || `; the syncs are ${known.join(', ')}`;
  throw new CodedError('FF_SYNC_UNKNOWN', `there is no sync named "${name}"${hint}`);
}

/** Returns the syncs with the given names, each once, in the order given; all syncs if no name is given. Throws as `syncNamed` does. */
export function selectSyncs<Sync extends { name: string }>(config: Syncs<Sync>, names: readonly string[]): Sync[] {
  return names.length === 0 ? config.syncs : [...new Set(names)].map((name) => syncNamed(name, config));
}

/** Returns the names of all syncs that have a file. */
export function syncNames({ syncs, broken }: Syncs<{ name: string }>): string[] {
  return [...syncs, ...broken].map(({ name }) => name);
}

/** Returns the syncs that cannot run, because their files have mistakes and no earlier version is in use. */
export function leftOut({ syncs, broken }: Pick<Config, 'syncs' | 'broken'>): BrokenSync[] {
  return broken.filter(({ name }) => !syncs.some((sync) => sync.name === name));
}

/** Returns all syncs that have a file. If a file has mistakes and no earlier version is in use, only the name is known. */
export function withBroken({ syncs, broken }: Pick<Config, 'syncs' | 'broken'>): {
  syncs: Array<{ name: string } & Partial<SyncConfig>>;
  broken: [];
} {
  const all = [...syncs, ...leftOut({ syncs, broken })].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { syncs: all, broken: [] };
}

/**
 * Returns a sync as if one of its sources were the only one.
 * @throws CodedError FF_CONFIG_INVALID if it has no source with the name
 */
export function syncOfSource({ name, sources = [] }: SyncConfig, source: string): SyncConfig {
  const found = sources.find((candidate) => candidate.name === source);
  if (found) return found.sync;
  const known = sources.map((candidate) => candidate.name);
  throw new CodedError('FF_CONFIG_INVALID', `"${name}" has no source named "${source}"${didYouMean(source, known)}`);
}
