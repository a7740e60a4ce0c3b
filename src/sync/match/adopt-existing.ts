import type { CmsItem } from '../../cms/client.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';
import { externalIdOn } from '../items/external-id.ts';
import { matchKey } from '../items/values.ts';
import { toAdoption } from './adopted-state.ts';
import { matchGroup } from './match-groups.ts';

const IDS_PER_QUERY = 500;

type AdoptContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'ledger'>;

/** The records that a run is about to create. */
interface Wanted {
  keys: Set<string>;
  /** By their values in the attributes that identify a record (see `matchKey`). */
  keysByMatch: Map<string, string[]>;
  /** First and last day of the events, ISO dates. */
  startDate?: string;
  endDate?: string;
}

/** An item of the CMS that may be a wanted record: it has the external id of one, or the values that identify some. */
interface Candidate {
  item: CmsItem;
  key?: string;
  match?: string;
}

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

/** Reads the creates of a staged plan. */
async function collectWanted(run: string, match: readonly string[], { ledger }: AdoptContext): Promise<Wanted> {
  const wanted: Wanted = { keysByMatch: new Map(), keys: new Set() };
  for await (const creates of ledger.plans.creates(run)) {
    for (const { key, payload } of creates) {
      wanted.keys.add(key);
      const value = matchKey(match, payload);
      if (value === undefined) continue;
      const alike = wanted.keysByMatch.get(value);
      if (alike) alike.push(key);
      else wanted.keysByMatch.set(value, [key]);
      const { date, endDate } = payload;
      if (!match.includes('date') || typeof date !== 'string') continue;
      const lastDay = typeof endDate === 'string' ? endDate : date;
      if (wanted.startDate === undefined || date < wanted.startDate) wanted.startDate = date;
      if (wanted.endDate === undefined || lastDay > wanted.endDate) wanted.endDate = lastDay;
    }
  }
  return wanted;
}

/** Lists the items of the CMS that may be wanted records and do not belong to other records. */
async function findCandidates(wanted: Wanted, match: readonly string[], context: AdoptContext): Promise<Candidate[]> {
  const { sync, target, ledger } = context;
  const prefix = `${sync.name}:`;
  const candidates: Candidate[] = [];
  for await (const item of listItems(wanted, context)) {
    const externalId = externalIdOn(item, target.externalId);
    const key = externalId?.startsWith(prefix) ? externalId.slice(prefix.length) : undefined;
    const value = matchKey(match, item);
    if (key !== undefined && wanted.keys.has(key)) candidates.push({ item, key });
    else if (value !== undefined && wanted.keysByMatch.has(value)) candidates.push({ item, match: value });
  }
  const owned = new Set<number>();
  for (let start = 0; start < candidates.length; start += IDS_PER_QUERY) {
    const ids = candidates.slice(start, start + IDS_PER_QUERY).map(({ item }) => item.id);
    for (const id of await ledger.records.owned(sync.resource, ids)) owned.add(id);
  }
  return candidates.filter(({ item }) => !owned.has(item.id));
}

function listItems({ startDate, endDate }: Wanted, { sync, cms }: AdoptContext): AsyncIterable<CmsItem> {
  if (sync.resource === 'accounts') return cms.accounts().list({ limit: ITEMS_PER_PAGE });
  return cms.events(sync.instance).list({ limit: ITEMS_PER_PAGE, startDate, endDate });
}

/** Matches by external id; what has none on an item, by the attributes that identify a record. */
function matchAll(wanted: Wanted, candidates: readonly Candidate[], { target }: AdoptContext) {
  const byKey = Map.groupBy(candidates, ({ key }) => key);
  const byMatch = Map.groupBy(candidates, ({ match }) => match);
  const adopted = new Map<string, CmsItem>();
  const held: Array<{ key: string; code: 'FF_ADOPT_AMBIGUOUS'; reason: string }> = [];
  for (const key of wanted.keys) match([key], byKey.get(key) ?? [], () => false);
  for (const [value, keys] of wanted.keysByMatch) {
    const others = keys.filter((key) => !byKey.has(key));
    match(others, byMatch.get(value) ?? [], (item) => externalIdOn(item, target.externalId) !== undefined);
  }
  return { adopted, held };

  function match(keys: readonly string[], found: readonly Candidate[], isForeign: (item: CmsItem) => boolean) {
    const items = found.map(({ item }) => ({ id: item.id, isForeign: isForeign(item) }));
    const group = matchGroup({ keys, items });
    for (const key of keys) {
      if (group.is === 'adopted' && found[0]) adopted.set(key, found[0].item);
      if (group.is !== 'ambiguous') continue;
      held.push({ key, code: 'FF_ADOPT_AMBIGUOUS', reason: `"${key}" is held: ${group.reason}.` });
    }
  }
}
