import type { OwnerConfig, SyncConfig } from '../../config/types.ts';

/** An owner of a feed; with `sources`, only of these of several sources. */
export type FeedOwner = OwnerConfig & { sources?: readonly string[] | undefined };

/** Lists the owners of a feed, each once. Who owns the whole feed also owns each of its sources. */
export function ownersOf({ owner = [], sources = [] }: Pick<Partial<SyncConfig>, 'owner' | 'sources'>): FeedOwner[] {
  const owners = new Map<string, FeedOwner>(owner.map((each) => [each.email, each]));
  for (const { name, sync } of sources) {
    for (const each of sync.owner ?? []) {
      const known = owners.get(each.email);
      if (!known) owners.set(each.email, { ...each, sources: [name] });
      else if (known.sources) owners.set(each.email, { ...known, sources: [...known.sources, name] });
    }
  }
  return [...owners.values()];
}
