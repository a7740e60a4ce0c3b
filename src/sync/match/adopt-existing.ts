import type { CmsItem } from '../../cms/client.ts';
import { externalIdOn } from '../items/external-id.ts';
import { toAdoption } from './adopted-state.ts';
import {
  type AdoptContext,
  type Candidates,
  collectWanted,
  findCandidates,
  type Wanted,
} from './adoption-candidates.ts';
import { matchGroup } from './match-groups.ts';

/**
 * Turns creates of a staged plan into updates of items that the CMS has already, if the sync adopts. The items are listed
 * once; items that belong to other records are ignored. What does not match one to one is held (FF_ADOPT_AMBIGUOUS).
 * @throws CmsError if the CMS cannot be searched
 */
export async function adoptExisting(run: string, context: AdoptContext): Promise<void> {
  const { adopt } = context.sync;
  if (!adopt) return;
  const wanted = await collectWanted(run, adopt.match, context);
  if (wanted.keys.size === 0) return;
  const candidates = await findCandidates(wanted, adopt.match, context);
  const { adopted, held } = matchAll(wanted, candidates, context);
  const { plans } = context.ledger;
  await plans.hold(run, held);
  for await (const records of plans.creates(run)) {
    const found = records.flatMap((record) => {
      const item = adopted.get(record.key);
      return item ? [toAdoption(record, item, context)] : [];
    });
    await plans.adopt(run, found);
  }
}

/** Matches by external id; what has none on an item, by the attributes that identify a record. */
function matchAll(wanted: Wanted, { byExternalId, byMatch }: Candidates, { target }: AdoptContext) {
  const adopted = new Map<string, CmsItem>();
  const held: Array<{ key: string; code: 'FF_ADOPT_AMBIGUOUS'; reason: string }> = [];
  for (const [key, items] of byExternalId) match([key], items, () => false);
  for (const [value, keys] of wanted.keysByMatch) {
    const others = keys.filter((key) => !byExternalId.get(key)?.length);
    match(others, byMatch.get(value) ?? [], (item) => externalIdOn(item, target.externalId) !== undefined);
  }
  return { adopted, held };

  function match(keys: readonly string[], items: readonly CmsItem[], isForeign: (item: CmsItem) => boolean): void {
    const found = matchGroup({ keys, items: items.map((item) => ({ id: item.id, isForeign: isForeign(item) })) });
    const [item] = items;
    for (const key of keys) {
      if (found.is === 'adopted' && item) adopted.set(key, item);
      if (found.is !== 'ambiguous') continue;
      held.push({ key, code: 'FF_ADOPT_AMBIGUOUS', reason: `"${key}" is held: ${found.reason}.` });
    }
  }
}
