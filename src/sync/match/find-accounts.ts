import type { DeliveryContext } from '../context/delivery-context.ts';
import type { Look } from '../identity/look.ts';
import { itemTraits } from '../identity/sighting.ts';
import { callOf } from '../items/cms-items.ts';
import type { ItemIndex } from '../search/item-traits.ts';
import type { Sieve } from './sieve.ts';

type SearchContext = Pick<DeliveryContext, 'sync' | 'ledger' | 'search' | 'runtime' | 'call'>;

/**
 * Finds accounts of the CMS that look like new records, by a filter of their list if that works and pays.
 * @returns `looks`: by the ids of the accounts; some of them are like none of the records; `listed`: the ids of all that were read
 * @throws CmsError
 */
export async function findAccounts(run: string, sieve: Sieve, context: SearchContext) {
  const { sync, ledger, search, runtime } = context;
  const quietSince = runtime.monotonic();
  const read = new Set<ItemIndex>();
  const looks = new Map<number, Look>();
  const listed = new Set<number>();
  for await (const page of ledger.plans.newcomers(run, sync.name)) {
    for (const { key, resource, payload, isUndo } of page) {
      if (isUndo) continue;
      const sought = { sync: sync.name, key, resource, quietSince };
      for (const index of await search.candidates(sought, [payload], { ...callOf(context), isProof: false })) {
        if (read.has(index)) continue;
        read.add(index);
        for (const [id, { email, username }] of index.sightings) {
          listed.add(id);
          if (itemTraits({ email, username }).some(sieve.has)) looks.set(id, { email, username, places: {} });
        }
      }
    }
  }
  return { looks, listed };
}
