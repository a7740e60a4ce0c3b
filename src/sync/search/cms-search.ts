import { aborted } from 'node:util';
import type { CmsClient, CmsItem } from '../../cms/client.ts';
import { CmsError } from '../../cms/errors.ts';
import type { Json, Payload, Resource } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';
import { externalIdOf } from '../items/external-id.ts';
import { createAccountQuestions, type Question } from './account-filter.ts';
import { type ItemIndex, indexItems } from './item-index.ts';
import { createSharedReadings } from './shared-lists.ts';

/** Looks for items among those that the CMS has, for many records at the cost of few requests. */
export type CmsSearch = ReturnType<typeof createCmsSearch>;

interface SearchOptions {
  /** Instance key of the calendar. */
  instance?: string;
  /** Ends the waiting; a list that others wait for is read on. */
  signal?: AbortSignal;
}

/** @param externalId layout key of the attribute that carries external ids, where there is one */
export function createCmsSearch(cms: CmsClient, externalId: string | undefined) {
  const readings = createSharedReadings<ItemIndex>();
  const questions = createAccountQuestions(cms.accounts());
  return { candidates };

  /**
   * All items that may be this record, and others.
   * @param contents what a create of it may have carried
   * @throws CmsError where the CMS cannot be searched
   */
  function candidates(
    record: ClaimedRecord,
    contents: readonly Payload[],
    { instance, signal }: SearchOptions = {},
  ): Promise<ItemIndex[]> {
    const found = record.resource === 'events' ? events(record, contents, instance) : accounts(record, contents);
    return unlessAborted(found, signal);
  }

  /** Those of the days of the event, whichever of its days the CMS compares with the dates of a list. */
  function events(
    { quietSince }: ClaimedRecord,
    contents: readonly Payload[],
    instance: string | undefined,
  ): Promise<ItemIndex[]> {
    const spans = new Map(contents.map(({ date, endDate }) => [JSON.stringify([date, endDate]), { date, endDate }]));
    const lists = [...spans].map(([span, { date, endDate }]) => {
      const query = { limit: ITEMS_PER_PAGE, ...day('startDate', date), ...day('endDate', endDate) };
      const list = `events ${JSON.stringify(instance ?? '')} ${span}`;
      return readings.read(list, quietSince, () => indexed('events', cms.events(instance).list(query)));
    });
    return Promise.all(lists);
  }

  async function accounts(record: ClaimedRecord, contents: readonly Payload[]): Promise<ItemIndex[]> {
    const { quietSince } = record;
    const queries = await questions.write(questionsOn(record, contents));
    const atHand = readings.atHand('accounts', quietSince);
    if (atHand) return [await atHand];
    if (queries && questions.afford(queries.length)) {
      const answer = await questions.ask(queries);
      if (answer) return [await indexed('accounts', answer)];
    }
    const list = cms.accounts().list({ limit: ITEMS_PER_PAGE });
    return [await readings.read('accounts', quietSince, () => indexed('accounts', list))];
  }

  /** By the external id and by what tells accounts without one: the create may be older than the attribute. */
  function questionsOn(record: ClaimedRecord, contents: readonly Payload[]): Question[] {
    const marks = externalId ? [{ attribute: externalId, value: externalIdOf(record) }] : [];
    const names = contents.flatMap((content) =>
      ['email', 'username'].flatMap((attribute) => {
        const value = content[attribute];
        return isFilled(value) ? [{ attribute, value }] : [];
      }),
    );
    return [...new Map([...marks, ...names].map((question) => [JSON.stringify(question), question])).values()];
  }

  function indexed(resource: Resource, items: AsyncIterable<CmsItem> | Iterable<CmsItem>) {
    return indexItems(items, resource, externalId);
  }
}

async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  const givenUp = aborted(signal, work).then(() => {
    throw new CmsError('unsent', 'The search in the CMS was cancelled: this process is stopping.', { method: 'GET' });
  });
  return Promise.race([work, givenUp]);
}

function day(filter: 'startDate' | 'endDate', date: Json | undefined): { startDate?: string; endDate?: string } {
  return isFilled(date) ? { [filter]: date } : {};
}

function isFilled(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
