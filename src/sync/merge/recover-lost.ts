import type { CmsItem } from '../../cms/client.ts';
import type { Payload } from '../../core/record.ts';
import type { RunContext } from '../context/run-context.ts';
import { identifying } from '../identity/sighting.ts';
import { keyOn } from '../items/external-id.ts';
import { filterAttributes } from '../items/values.ts';
import { toLost } from '../match/candidates.ts';
import { listItems } from '../match/list-items.ts';
import { whenColumns } from '../plan/when-columns.ts';
import { eventHash, type MatchRule } from './same-event.ts';

const PAGE = 500;

/**
 * Finds the items of a sync that the ledger has lost, by their external ids, before new members are joined: an event must not be
 * published again because another source has founded its record. The record of an item becomes a member that no reading has had,
 * so that the events of other sources are compared with it. If the ledger knows nothing of the sync, this precedes the readings:
 * they say what they have of these records, and that an empty source is not complete.
 * @returns whether the CMS was searched
 * @throws CmsError if the CMS cannot be listed
 */
export async function recoverLost(rule: MatchRule, context: RunContext): Promise<boolean> {
  const { ledger, sync, target } = context;
  if (target.externalId === undefined) return false;
  const { fresh, known } = await ledger.members.countFresh(sync.name);
  if (known > 0 && fresh <= known) return false;
  const items = new Map<string, CmsItem[]>();
  for await (const item of listItems(undefined, true, context)) {
    const key = keyOn(item, sync, target.externalId);
    if (key !== undefined) items.set(key, [...(items.get(key) ?? []), item]);
  }
  // Copies that editors have made show the same external id.
  const single = [...items].flatMap(([key, [item, ...others]]) => (item && others.length === 0 ? [{ key, item }] : []));
  for (let start = 0; start < single.length; start += PAGE)
    await recover(single.slice(start, start + PAGE), rule, context);
  return true;
}

async function recover(
  some: ReadonlyArray<{ key: string; item: CmsItem }>,
  rule: MatchRule,
  context: RunContext,
): Promise<void> {
  const { ledger, sync, isPlan } = context;
  const unknown = new Set(
    await ledger.plans.unknownKeys(
      sync.name,
      some.map(({ key }) => key),
    ),
  );
  const lost = some.filter(({ key }) => unknown.has(key));
  // The plan of a run adopts them by their external ids; only a run remembers them.
  if (!isPlan) {
    await ledger.plans.relink(
      sync.name,
      lost.flatMap(({ key, item }) => toLost(key, item, context)),
    );
  }
  const named = new Map((await ledger.members.membersBy('key', sync.name, [...unknown])).map((one) => [one.key, one]));
  const ghosts = lost.filter(({ key }) => !named.has(key) && key.includes('/'));
  await ledger.members.putMembers(
    sync.name,
    ghosts.map(({ key, item }) => toGhost(key, item, rule)),
  );
  // They stay what they were published as.
  const homes = await ledger.members.takenHomes(sync.name, [...unknown]);
  const undecided = lost.filter(({ key }) => named.get(key)?.cluster === undefined && !homes.has(key));
  await ledger.members.setClusters(sync.name, new Map(undecided.map(({ key }) => [key, key])));
}

/** A member that no reading has had, with what its item has of the attributes by which events are compared. */
function toGhost(key: string, { id, ...item }: CmsItem, rule: MatchRule) {
  const names = [...identifying.events, 'endDate', ...(rule.match ?? []), ...rule.places].map(rootOf);
  const payload: Payload = filterAttributes(item as Payload, (name) => names.includes(name));
  return {
    ...{ key, source: key.slice(0, key.indexOf('/')), place: `item ${id} of the CMS` },
    ...{ payload: JSON.stringify(payload), attachments: '[]', source_hash: null, event_hash: eventHash(payload, rule) },
    ...whenColumns({ payload }),
    repeats: 0 as const,
    ...{ read_in: '', read_no: 0, read_hash: null },
  };
}

const rootOf = (path: string) => path.replace(/\..*$/s, '');
