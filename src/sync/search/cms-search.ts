import { aborted } from 'node:util';
import type { CmsClient, CmsItem } from '../../cms/client.ts';
import { CmsError } from '../../cms/errors.ts';
import type { Json, Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';
import { externalIdOf } from '../items/external-id.ts';
import { createAccountFilter, type Question } from './account-filter.ts';
import { type ItemIndex, indexItems } from './item-index.ts';
import { createSharedReadings } from './shared-lists.ts';

/** Finds items of the CMS for many records at the cost of few requests. */
export type CmsSearch = ReturnType<typeof createCmsSearch>;

interface SearchOptions {
  /** Instance key of the calendar. */
  instance?: string;
  /** Ends the waiting. A list that other records wait for is still read to its end. */
  signal?: AbortSignal;
}

/** @param externalId layout key of the attribute that carries external ids, if there is one */
export function createCmsSearch(cms: CmsClient, externalId: string | undefined) {
  const lists = createSharedReadings<ItemIndex>();
  const filter = createAccountFilter(cms.accounts());
  return { candidates };

  /**
   * Returns all items that may be this record, and others.
   * @param payloads what a create of the record may have sent
   * @throws CmsError if the CMS cannot be searched
   */
  function candidates(
    record: ClaimedRecord,
    payloads: readonly Payload[],
    { instance, signal }: SearchOptions = {},
  ): Promise<ItemIndex[]> {
    const found = record.resource === 'events' ? events(record, payloads, instance) : accounts(record, payloads);
    return unlessAborted(found, signal);
  }

  /** The events of the same days, because a CMS may compare either day of an event with the dates of a list. */
  function events(
    { quietSince }: ClaimedRecord,
    payloads: readonly Payload[],
    instance: string | undefined,
  ): Promise<ItemIndex[]> {
    const spans = new Map(payloads.map(({ date, endDate }) => [JSON.stringify([date, endDate]), { date, endDate }]));
    const found = [...spans].map(([span, { date, endDate }]) => {
      const query = { limit: ITEMS_PER_PAGE, ...day('startDate', date), ...day('endDate', endDate) };
      const list = `events ${JSON.stringify(instance ?? '')} ${span}`;
      const items = () => indexItems(cms.events(instance).list(query), 'events', externalId);
      return lists.read(list, quietSince, items);
    });
    return Promise.all(found);
  }

  async function accounts(record: ClaimedRecord, payloads: readonly Payload[]): Promise<ItemIndex[]> {
    const { quietSince } = record;
    const index = (items: AsyncIterable<CmsItem> | Iterable<CmsItem>) => indexItems(items, 'accounts', externalId);
    const queries = await filter.toQueries(questionsOn(record, payloads));
    const atHand = lists.atHand('accounts', quietSince);
    if (atHand) return [await atHand];
    // Queries that cost too much lead to `read` without an await, so that the next records share the list.
    const answer = queries && filter.afford(queries.length) ? await filter.ask(queries) : undefined;
    if (answer) return [await index(answer)];
    const all = () => index(cms.accounts().list({ limit: ITEMS_PER_PAGE }));
    return [await lists.read('accounts', quietSince, all)];
  }

  /** By external id, and by email and username: the create may be older than the attribute for external ids. */
  function questionsOn(record: ClaimedRecord, payloads: readonly Payload[]): Question[] {
    const byId = externalId ? [{ attribute: externalId, value: externalIdOf(record) }] : [];
    const byName = payloads.flatMap((payload) =>
      ['email', 'username'].flatMap((attribute) => {
        const value = payload[attribute];
        return isFilled(value) ? [{ attribute, value }] : [];
      }),
    );
    return [...new Map([...byId, ...byName].map((question) => [JSON.stringify(question), question])).values()];
  }
}

async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  const abortion = aborted(signal, work).then(() => {
    throw new CmsError('unsent', 'The search in the CMS was cancelled: this process is stopping.', { method: 'GET' });
  });
  return Promise.race([work, abortion]);
}

function day(filter: 'startDate' | 'endDate', date: Json | undefined): { startDate?: string; endDate?: string } {
  return isFilled(date) ? { [filter]: date } : {};
}

function isFilled(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
