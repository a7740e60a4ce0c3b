import { aborted } from 'node:util';
import type { CmsClient, CmsItem } from '../../cms/client.ts';
import { CmsError } from '../../cms/errors.ts';
import { addDays, isIsoDate } from '../../core/dates/iso-date.ts';
import type { Json, Payload } from '../../core/record.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import { identifying } from '../identity/sighting.ts';
import { ITEMS_PER_PAGE, newestPage } from '../items/cms-items.ts';
import { externalIdsOf } from '../items/external-id.ts';
import type { FormerNames } from '../items/former-syncs.ts';
import { createAccountFilter } from './account-filter.ts';
import { type ItemIndex, indexItems } from './item-traits.ts';
import { createListedItems } from './listed-items.ts';
import { createSharedReadings } from './shared-readings.ts';

/** A record whose item is searched for. */
export type Sought = Pick<ClaimedRecord, 'sync' | 'key' | 'resource'> & { quietSince: number };

interface SearchOptions {
  /** Key of the calendar. */
  instance?: string;
  /** Former names of the sync. */
  names?: FormerNames;
  /** Accounts: whether what the list lacks counts as absent. Default true. */
  isProof?: boolean;
  /** Ends the waiting, but not the reading of a list for other records. */
  signal?: AbortSignal;
}

/** Finds items of the CMS for many records at the cost of few requests. */
export type CmsSearch = ReturnType<typeof createCmsSearch>;

/** @param externalId layout key of the attribute that carries external ids, if there is one */
export function createCmsSearch(cms: CmsClient, externalId: string | undefined, runtime: Runtime) {
  const lists = createSharedReadings<ItemIndex>(runtime);
  const filter = createAccountFilter(cms.accounts(), runtime);
  const indexing = { externalId, monotonic: runtime.monotonic };
  return { candidates, newest, sample, ...createListedItems(cms, runtime) };

  /**
   * Returns all items that may be this record's, and others.
   * @param payloads what a create of the record may have sent
   * @throws CmsError if the CMS cannot be searched
   */
  function candidates(
    record: Sought,
    payloads: readonly Payload[],
    { instance, names = {}, isProof = true, signal }: SearchOptions = {},
  ): Promise<ItemIndex[]> {
    const ids = externalId ? externalIdsOf(record, names) : [];
    const isEvent = record.resource === 'events';
    const found = isEvent ? events(record, payloads, instance) : accounts(record, payloads, ids, isProof);
    return unlessAborted(found, signal);
  }

  /**
   * Returns the newest events, if external ids show whose they are: the item of a create is among them, even if it was moved
   * to another day since. Accounts have no days, so `candidates` finds them. An item that this page lacks may still exist.
   * @throws CmsError if the CMS cannot be searched
   */
  async function newest(
    { resource, quietSince }: Sought,
    { instance, signal }: SearchOptions = {},
  ): Promise<ItemIndex[]> {
    if (externalId === undefined || resource === 'accounts') return [];
    const items = async () => indexItems(each((await newestPage(cms.events(instance))) ?? []), 'events', indexing);
    const list = `newest events ${JSON.stringify(instance ?? '')}`;
    return [await unlessAborted(lists.read(list, quietSince, items), signal)];
  }

  /** Returns any items of the resource, one page of them, if it has some. @throws CmsError if the CMS cannot be searched */
  function sample({ resource, quietSince }: Sought, { instance, signal }: SearchOptions = {}): Promise<ItemIndex> {
    const all = resource === 'events' ? cms.events(instance) : cms.accounts();
    const items = async () => {
      const found = (await newestPage(all)) ?? (await all.page({ limit: ITEMS_PER_PAGE })).data;
      return indexItems(each(found), resource, indexing);
    };
    const list = `sample of ${resource} ${JSON.stringify(instance ?? '')}`;
    return unlessAborted(lists.read(list, quietSince, items), signal);
  }

  /**
   * Returns the events of the same days, because a CMS may compare either day of an event with the dates of a list, and of the
   * days before and after, because it may shift an event by its own time zone.
   */
  function events({ quietSince }: Sought, payloads: readonly Payload[], instance: string | undefined) {
    const spans = new Map(payloads.map(({ date, endDate }) => [JSON.stringify([date, endDate]), { date, endDate }]));
    const found = [...spans].map(([span, { date, endDate }]) => {
      const startDate = isFilled(date) && isIsoDate(date) ? addDays(date, -1) : undefined;
      const query = {
        limit: ITEMS_PER_PAGE,
        startDate,
        endDate: isFilled(endDate) && isIsoDate(endDate) ? addDays(endDate, 1) : undefined,
      };
      const list = `events ${JSON.stringify(instance ?? '')} ${span}`;
      const items = () =>
        indexItems(cms.events(instance).list(query, { acceptsHidden: true, isProof: true }), 'events', indexing);
      return lists.read(list, quietSince, items);
    });
    return Promise.all(found);
  }

  async function accounts(
    { quietSince }: Sought,
    payloads: readonly Payload[],
    externalIds: readonly string[],
    isProof: boolean,
  ): Promise<ItemIndex[]> {
    const index = (items: Parameters<typeof indexItems>[0]) => indexItems(items, 'accounts', indexing);
    const queries = await filter.toQueries(questionsOn(externalIds, payloads));
    const list = isProof ? 'accounts' : 'some accounts';
    const atHand = lists.atHand('accounts', quietSince) ?? lists.atHand(list, quietSince);
    if (atHand) return [await atHand];
    // If the queries cost too much, `read` follows without an await, so that the next records share the list.
    const answer = queries && filter.afford(queries.length) ? await filter.ask(queries) : undefined;
    if (answer) return [await index(each(answer))];
    const all = () => index(cms.accounts().list({ limit: ITEMS_PER_PAGE }, { acceptsHidden: true, isProof }));
    return [await lists.read(list, quietSince, all)];
  }

  /** Queries by external id, email and username: the create may be older than the attribute for external ids. */
  function questionsOn(externalIds: readonly string[], payloads: readonly Payload[]) {
    const byId = externalIds.map((value) => ({ attribute: externalId ?? '', value }));
    const byName = payloads.flatMap((payload) =>
      identifying.accounts.flatMap((attribute) => {
        const value = payload[attribute];
        return isFilled(value) ? [{ attribute, value }] : [];
      }),
    );
    return [...new Map([...byId, ...byName].map((question) => [JSON.stringify(question), question])).values()];
  }
}

/** Yields the items of a list without a count. */
async function* each(items: readonly CmsItem[]): AsyncGenerator<CmsItem, undefined, undefined> {
  yield* items;
}

async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  const abortion = aborted(signal, work).then(() => {
    throw new CmsError('unsent', 'The search in the CMS was cancelled: this process is stopping.', { method: 'GET' });
  });
  return Promise.race([work, abortion]);
}

function isFilled(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
