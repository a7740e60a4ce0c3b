import { expect } from 'vitest';
import type { Exchange } from '../../../support/cms/exchange.ts';
import type { TestCmsOptions } from '../../../support/cms/start-cms.ts';
import { writeTalks, writeTalksSync } from '../../fixtures.ts';
import { type Item, openSite, type Site, simplest, writeTarget } from '../../site.ts';
import { deliver, drift, said } from './commands.ts';

/** What the feed says of the talk "T1" in place of what `maps` says. */
export interface Talk {
  title?: string;
  date?: string;
  start?: string;
  room?: string;
  text?: string;
}

const COLUMNS = 'id,title,date,start,room,text';
const MAP = 'title: title, date: date, time.start: start, location: room, description: text';
const maps: Required<Talk> = { title: 'Maps', date: '2031-03-01', start: '18:00', room: 'A', text: 'Old' };
/** Talks that never change. The CMS proves with their items that its lists are whole. */
const others = ['T2,Ships,2031-03-02,10:00,A,', 'T3,Tides,2031-03-03,10:00,A,'];

/** Deletes the item of a talk that is missing for the first time. */
export const DELETE = 'missing: { policy: delete, after: 1 run, threshold: { percent: 60 } }\n';
/** Marks the item of a talk that is missing for the first time. */
export const MARK = 'missing: { policy: set, set: { isFeatured: true }, after: 1 run, threshold: { percent: 60 } }\n';
/** Keeps no item as it was before a change. */
export const NO_IMAGES = 'retention: { beforeImages: 0d }\n';

export interface TalksOptions extends TestCmsOptions {
  /** Further lines of the sync file. */
  sync?: string;
  /** Further lines of `target`. */
  target?: string;
  /** Lines beside `target`. */
  beside?: string;
  /** Whether items carry the external ids of their records; by default they do. */
  externalId?: boolean;
  /** How often a record is tried in a run. */
  attempts?: number;
}

/** Opens a site with two delivered talks. A record has one attempt a run, and is looked up soon. */
export async function openTalks(options: TalksOptions = {}): Promise<Site> {
  const site = await openSyncedSite(options);
  without(site);
  expect(await sync(site)).toBe('success: 2 created');
  return site;
}

/** Opens a site on which the talk "T1" is delivered, too; its item has the id 1. */
export async function openMaps(options: TalksOptions = {}): Promise<Site> {
  const site = await openSyncedSite(options);
  feed(site);
  expect(await sync(site)).toBe('success: 3 created');
  site.writes();
  return site;
}

async function openSyncedSite(options: TalksOptions): Promise<Site> {
  const { sync: more = '', target = '', beside = '', externalId = true, attempts = 1, ...sandboxOptions } = options;
  const site = await openSite(simplest, sandboxOptions);
  const id = externalId ? '  externalId: source_key\n' : '';
  writeTarget(
    site,
    `${id}  concurrency: 1\n  maxAttempts: ${attempts}\n  backoff: 20ms\n  lookupAfter: 60ms\n${target}${beside}`,
  );
  writeTalksSync(site, more, { map: MAP });
  return site;
}

/** Writes the feed with all talks. */
export function feed(site: Site, talk: Talk = {}): void {
  const { title, date, start, room, text } = { ...maps, ...talk };
  writeTalks(site, [...others, `T1,${title},${date},${start},${room},${text}`], { columns: COLUMNS });
}

/** Writes the feed without the talk "T1". */
export function without(site: Site): void {
  writeTalks(site, others, { columns: COLUMNS });
}

/** Runs the sync, and returns what it says of "T1". */
export async function sync(site: Site): Promise<string> {
  return said(await deliver(site, 'sync', 'talks'), others.length);
}

/** The items of "T1" in the CMS, such as "3 Maps 2031-03-01 A Old". */
export async function items(site: Site): Promise<string[]> {
  return (await itemsOf(site)).map(
    (item) => `${item.id} ${item.title} ${item.date} ${item.location} ${item.description}`,
  );
}

export async function itemsOf(site: Site): Promise<Item[]> {
  const all = await site.items('calendar/events');
  return all.filter(({ title }) => title !== 'Ships' && title !== 'Tides');
}

/** The attributes of each PATCH that feedferry has sent since the last call. */
export async function patched(site: Site): Promise<string[][]> {
  const headers = { Authorization: `Bearer ${site.sandbox.token}` };
  const journal = await fetch(`${site.sandbox.url}/_sandbox/journal?method=PATCH`, { headers });
  const { exchanges } = (await journal.json()) as { exchanges: Exchange[] };
  await fetch(`${site.sandbox.url}/_sandbox/journal`, { method: 'DELETE', headers });
  const ours = exchanges.filter(({ requestHeaders }) => requestHeaders['user-agent'] !== 'editor');
  return ours.map(({ requestBody }) => Object.keys(JSON.parse(requestBody)));
}

/** Everything that must be true once no request is in doubt: the CMS has these items of "T1", and `verify` finds no difference. */
export async function expectSettled(site: Site, ...expected: string[]): Promise<void> {
  expect({ items: await items(site), drift: await drift(site) }).toEqual({ items: expected, drift: [] });
}

/** Changes an item of the CMS as an editor does. */
export const edit = (site: Site, id: number, body: object) =>
  site.request('PATCH', `api/v1/calendar/events/${id}`, body);
/** Deletes an item of the CMS as an editor does. */
export const remove = (site: Site, id: number) => site.request('DELETE', `api/v1/calendar/events/${id}`);

/** Reads all items of the CMS, and returns how to put them back, as from a backup. */
export async function backup(site: Site): Promise<() => Promise<unknown>> {
  const snapshot = await site.request('GET', '_sandbox/snapshot');
  return () => site.request('PUT', '_sandbox/snapshot', snapshot);
}

export const purge = async (site: Site) => said(await deliver(site, 'purge', 'talks', '--yes'));
export const retry = async (site: Site) => said(await deliver(site, 'retry', 'talks'));
export const undoLast = async (site: Site) => said(await deliver(site, 'undo', '--last', 'talks', '--yes'));
