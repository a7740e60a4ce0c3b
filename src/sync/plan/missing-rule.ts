import type { MissingRule, SyncConfig } from '../../config/types.ts';

/** Returns what counts for the records of a source: its own rule, or that of the sync. */
export function missingRuleOf(
  { missing, sources = [] }: Pick<SyncConfig, 'missing' | 'sources'>,
  source: string,
): MissingRule {
  return sources.find(({ name }) => name === source)?.sync.missing ?? missing;
}
