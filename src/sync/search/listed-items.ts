import { isDeepStrictEqual } from 'node:util';
import type { CmsClient, CmsItem, EventQuery, ResourceClient } from '../../cms/client.ts';
import { CmsError } from '../../cms/errors.ts';
import { pageCount } from '../../cms/pages.ts';
import type { SyncConfig } from '../../config/types.ts';
import { type Payload, type Resource, UNKNOWN } from '../../core/record.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { RecordWithItem } from '../../ledger/records/claimed-record.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';
import { writableOf } from '../items/item-images.ts';
import { isAsSent } from '../items/values.ts';
import { createDayGroups } from './list-days.ts';
import { createSharedReadings } from './shared-readings.ts';

/** An item that was listed longer ago may have been changed since. */
const MOST_AGE_MS = 10_000;
/** A list that other batches have read is used again for so long: a part of its items is still young by the end of a batch. */
const SHARE_MS = MOST_AGE_MS / 2;
/** Fewer items are read one by one. */
const FEWEST = 4;
/** A list with so many pages is read as a whole, because several batches share it. */
const FEW_PAGES = 3;
/** A page of a longer list has to save so many requests. */
const ITEMS_FOR_A_PAGE = 1.5;
/** One of so many listed items is read by its id, too. */
const SAMPLE = 50;

interface Listed {
  item: CmsItem;
  readAt: number;
}

/** What a run knows of the lists. */
interface Trust {
  run: string;
  served: number;
  /** They cannot be read, or only slowly. */
  isLost: boolean;
  /** Whether they show whole items. */
  areWhole: Promise<boolean>;
}

export interface ListedOptions {
  sync: Pick<SyncConfig, 'instance' | 'authority'>;
  /** The attributes that are about to be sent. */
  body: Payload;
  /** The record, and those of its batch that follow and need their items, too. */
  batch: () => readonly RecordWithItem[];
  /** How many batches follow. */
  following: number;
  /** Reads the item by its id. */
  get: () => Promise<CmsItem | undefined>;
}

/**
 * Takes the items of records that are about to be changed from pages of lists, if these cost fewer requests than the items. The
 * pages are read when a batch needs them first, so that its items are young.
 */
export function createListedItems(cms: CmsClient, clock: Pick<Clock, 'monotonic' | 'after'>) {
  const lists = createSharedReadings<ReadonlyMap<number, Listed>>(clock, MOST_AGE_MS);
  const batches = createSharedReadings<ReadonlyMap<number, Listed>>(clock, MOST_AGE_MS);
  /** How many pages the whole list of a resource has. */
  const pagesOf = new Map<string, number>();
  const trusts = new Map<string, Trust>();
  return { listed };

  /**
   * Returns the item of a record from a list; undefined: it has to be read by its id, because that costs no more, or because the
   * list does not certainly show all of it.
   */
  async function listed(
    record: RecordWithItem,
    { sync, body, batch, following, get }: ListedOptions,
  ): Promise<CmsItem | undefined> {
    const trust = trustOf(record);
    if (trust.isLost || !(await trust.areWhole)) return undefined;
    const since = clock.monotonic() - MOST_AGE_MS;
    const items = await batches.read(record.claim, since, () => readTrusted(trust, batch(), { sync, following }));
    const shown = items.get(record.item.cmsId);
    const isYoung = shown && shown.readAt >= clock.monotonic() - MOST_AGE_MS;
    if (!isYoung || !isComplete(shown.item, record, { sync, body })) return undefined;
    trust.served += 1;
    if (trust.served % SAMPLE === 1) {
      const live = get();
      trust.areWhole = live.then((item) => isSame(item, shown.item, record.resource)).catch(() => false);
      return live;
    }
    return (await trust.areWhole) ? shown.item : undefined;
  }

  function trustOf({ sync, run }: RecordWithItem): Trust {
    const known = trusts.get(sync);
    if (known?.run === run) return known;
    const trust = { run, served: 0, isLost: false, areWhole: Promise.resolve(true) };
    trusts.set(sync, trust);
    return trust;
  }

  async function readTrusted(
    trust: Trust,
    records: readonly RecordWithItem[],
    options: Pick<ListedOptions, 'sync' | 'following'>,
  ): Promise<ReadonlyMap<number, Listed>> {
    const beganAt = clock.monotonic();
    try {
      const items = await readFor(records, options);
      // Items of a slow list are old before their turns.
      trust.isLost = clock.monotonic() - beganAt > SHARE_MS;
      return items;
    } catch (error) {
      if (!(error instanceof CmsError) || error.kind === 'stops') throw error;
      // The items can perhaps be read one by one.
      trust.isLost = true;
      return new Map();
    }
  }

  async function readFor(
    records: readonly RecordWithItem[],
    { sync: { instance }, following }: Pick<ListedOptions, 'sync' | 'following'>,
  ): Promise<ReadonlyMap<number, Listed>> {
    const [first] = records;
    if (!first) return new Map();
    const whole = `${first.resource} ${JSON.stringify(instance ?? '')}`;
    const hasDays = first.resource === 'events';
    const items: ResourceClient<CmsItem, EventQuery> = hasDays ? cms.events(instance) : cms.accounts();
    // The batches that follow may be of other days. Accounts have one list.
    const users = records.length * (hasDays ? 1 : 1 + following);
    const found = [await readList(whole, {}, users, pagesOf.get(whole))];
    if (hasDays && (pagesOf.get(whole) ?? 0) > mostPages(users)) {
      const groups = daysOf(records).map(({ days, wanted }) => readList(JSON.stringify([whole, days]), days, wanted));
      found.push(...(await Promise.all(groups)));
    }
    return new Map(found.flatMap((list) => [...list]));

    /** Reads a list if that saves requests for this many items: at first one page, unless it is known how many it has. */
    async function readList(name: string, query: EventQuery, wanted: number, known = 1) {
      const since = clock.monotonic() - SHARE_MS;
      if (wanted < FEWEST || known > mostPages(wanted)) return lists.atHand(name, since) ?? new Map<number, Listed>();
      return lists.read(name, since, () => readPages(query, mostPages(wanted)));
    }

    async function readPages(query: EventQuery, most: number): Promise<ReadonlyMap<number, Listed>> {
      const read = new Map<number, Listed>();
      let pages = 1;
      for (let page = 1; page <= pages; page += 1) {
        const shown = await items.page({ ...query, limit: ITEMS_PER_PAGE, page });
        for (const item of shown.data) read.set(item.id, { item, readAt: clock.monotonic() });
        if (page > 1) continue;
        const counted = pageCount(shown) ?? Number.POSITIVE_INFINITY;
        if (query.startDate === undefined) pagesOf.set(whole, counted);
        if (counted <= most) pages = counted;
      }
      return read;
    }
  }
}

/** How many requests so many updates need at least for their items. */
export function fewestReads(updates: number): number {
  return updates < FEWEST ? updates : Math.ceil(updates / ITEMS_PER_PAGE) + Math.ceil(updates / SAMPLE);
}

function mostPages(wanted: number): number {
  return Math.max(FEW_PAGES, wanted / ITEMS_FOR_A_PAGE);
}

/** The days on which events were delivered, in groups, with the number of their events. */
function daysOf(records: readonly RecordWithItem[]) {
  const groups = createDayGroups();
  const contents = records.map(({ item }) => ({ ...item.delivered, ...item.madeByCms }));
  for (const content of contents) groups.add(content);
  return groups.groups().map((days) => {
    const isWithin = ({ date }: Payload) => typeof date === 'string' && date > days.startDate && date < days.endDate;
    return { days, wanted: contents.filter(isWithin).length };
  });
}

/**
 * Whether a listed item shows all that is about to be replaced, and what was delivered, unless editors may have changed that: a list
 * may hide or shorten values.
 */
function isComplete(
  item: CmsItem,
  { item: known }: RecordWithItem,
  { sync: { authority = {} }, body }: Pick<ListedOptions, 'sync' | 'body'>,
): boolean {
  const isShown = (attribute: string) => item[attribute] !== undefined;
  const isEditors = (attribute: string) => (authority[attribute] ?? 'source') !== 'source';
  return (
    Object.keys(body).every(isShown) &&
    Object.entries(known.delivered ?? {}).every(
      ([attribute, value]) =>
        (isEditors(attribute) && isShown(attribute)) || (value !== UNKNOWN && isAsSent(item, attribute, value, known)),
    )
  );
}

function isSame(item: CmsItem | undefined, shown: CmsItem, resource: Resource): boolean {
  return item !== undefined && isDeepStrictEqual(writableOf(item, resource), writableOf(shown, resource));
}
