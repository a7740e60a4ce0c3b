import type { NamedSource, SyncConfig } from '../../config/types.ts';

/** The former names in a sync file: of the sync, and of its sources. */
export interface FormerNames {
  renamedFrom?: SyncConfig['renamedFrom'];
  sources?: ReadonlyArray<Pick<NamedSource, 'name' | 'renamedFrom'>>;
}

/** A former sync, whose records a sync takes over. */
export interface FormerSync {
  name: string;
  /** What stands before its keys since: `music/` if a source of several has taken them over, otherwise nothing. */
  prefix: string;
}

/** Returns the former syncs whose records a sync takes over. */
export function formerSyncs({ renamedFrom = [], sources = [] }: FormerNames): FormerSync[] {
  return [
    ...renamedFrom.map((name) => ({ name, prefix: '' })),
    ...sources.flatMap((source) => (source.renamedFrom ?? []).map((name) => ({ name, prefix: `${source.name}/` }))),
  ];
}
