import type { CmsItem } from '../../cms/client.ts';
import type { Adoption, StagedCreate } from '../../ledger/plans/adoptions.ts';
import { externalIdAttribute, externalIdOn } from '../items/external-id.ts';
import { adoptionOf } from './adopted-state.ts';
import {
  type AdoptContext,
  type Candidates,
  collectWanted,
  findCandidates,
  type Wanted,
} from './adoption-candidates.ts';
import { judgeGroup, type MatchedItem } from './match-groups.ts';

/**
 * Turns creates of a staged plan into updates of the items that the CMS has already, where the sync adopts. The items are
 * listed once; those of other records are none of them. What does not match one to one is held (FF_ADOPT_AMBIGUOUS).
 * @throws CmsError when the CMS cannot be searched
 */
export async function adoptExisting(run: string, context: AdoptContext): Promise<void> {
  const { adopt } = context.sync;
  if (!adopt) return;
  const wanted = await collectWanted(run, adopt.match, context);
  if (wanted.keys.size === 0) return;
  const candidates = await findCandidates(wanted, adopt.match, context);
  const { adopted, held } = judge(wanted, candidates, context);
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

interface Judgement {
  adopted: Map<string, CmsItem>;
  held: Array<{ key: string; code: 'FF_ADOPT_AMBIGUOUS'; reason: string }>;
}

function judge(wanted: Wanted, candidates: Candidates, context: AdoptContext): Judgement {
  const judgement: Judgement = { adopted: new Map(), held: [] };
  for (const [key, items] of candidates.byExternalId) settle([key], items, false);
  for (const [told, keys] of wanted.keysByMatch) {
    const unmarked = keys.filter((key) => !candidates.byExternalId.get(key)?.length);
    settle(unmarked, candidates.byMatch.get(told) ?? [], true);
  }
  return judgement;

  function settle(keys: readonly string[], items: readonly CmsItem[], foreignMarks: boolean): void {
    const matched: MatchedItem[] = items.map((item) => ({
      id: item.id,
      isForeign: foreignMarks && externalIdOn(item, context.target.externalId) !== undefined,
    }));
    const match = judgeGroup({ keys, items: matched });
    const [item] = items;
    for (const key of keys) {
      if (match.is === 'adopted' && item) judgement.adopted.set(key, item);
      if (match.is === 'ambiguous') {
        judgement.held.push({ key, code: 'FF_ADOPT_AMBIGUOUS', reason: `"${key}" is held: ${match.reason}.` });
      }
    }
  }
}

/** Makes a record the owner of an item; see `adoptionOf`. */
export function toAdoption(record: StagedCreate, item: CmsItem, context: AdoptContext): Adoption {
  const mark = externalIdAttribute({ sync: context.sync.name, key: record.key }, context);
  return adoptionOf(record, item, { authority: context.sync.authority ?? {}, mark });
}
