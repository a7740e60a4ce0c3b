import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { connectors } from '../../../connectors/index.ts';
import { loadRecipes, recipeNamed } from '../../../src/app/drafts/recipes.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { applyRecipe } from '../../../src/inference/recipes/apply-recipe.ts';
import { readSource } from '../../../src/source/read-source.ts';
import { temporaryDir } from '../../support/engines.ts';
import { bareProposal, sampleOf, syncOf } from '../../support/recipes.ts';
import { type FeedServer, serve } from '../feed/server.ts';

type Page = Record<string, unknown>;
type Item = Record<string, unknown>;
interface System {
  recipe: string;
  /** The member of the document with the items. */
  items: string;
  /** How many items there are on all pages. */
  all: number;
  /** Makes an item like that of the sample, with an id of its own. */
  item: (sample: Item, id: number) => Item;
  /** Returns how many items precede the page of a request, and how many it has at most. */
  page: (query: URLSearchParams) => { first: number; size: number };
  /** Returns what a page has beside its items. @param next how many items precede the next page */
  rest: (next: number | undefined, url: string, size: number, all: number) => Page;
  /** The queries of all requests. */
  asked: string[];
}

const systems: System[] = [
  {
    recipe: 'localist',
    items: 'events',
    all: 250,
    item: ({ event }, number) => {
      const instance = { id: number, event_id: number, start: '2027-03-10T18:00:00-05:00', end: null, all_day: false };
      return { event: { ...(event as Item), id: number, event_instances: [{ event_instance: instance }] } };
    },
    page: (asked) => ({ first: (Number(asked.get('page') ?? 1) - 1) * 100, size: Number(asked.get('pp')) }),
    rest: (next, _, size, all) => ({
      page: { current: (next ?? all + size) / size, size, total: Math.ceil(all / size) },
    }),
    asked: ['?days=370&pp=100', '?days=370&pp=100&page=2', '?days=370&pp=100&page=3'],
  },
  {
    recipe: 'openagenda',
    items: 'events',
    all: 301,
    item: (sample, number) => ({ ...sample, uid: number }),
    page: (asked) => ({ first: Number(asked.get('from') ?? 0), size: Number(asked.get('size')) }),
    rest: (next, _, __, all) => ({ total: all, after: next === undefined ? null : [next] }),
    asked: [
      '?detailed=1&longDescriptionFormat=HTML&size=300',
      '?detailed=1&longDescriptionFormat=HTML&size=300&from=300',
    ],
  },
  {
    recipe: 'eventbrite',
    items: 'events',
    all: 70,
    item: (sample, number) => ({ ...sample, id: String(number) }),
    page: (asked) => ({ first: Number(asked.get('continuation') ?? 0), size: 50 }),
    rest: (next, _, size, all) => ({
      pagination: {
        object_count: all,
        page_size: size,
        page_count: 2,
        has_more_items: next !== undefined,
        ...(next && { continuation: String(next) }),
      },
    }),
    asked: [
      '?status=live%2Cstarted%2Cended%2Ccanceled&expand=venue',
      '?status=live%2Cstarted%2Cended%2Ccanceled&expand=venue&continuation=50',
    ],
  },
  {
    recipe: 'livewhale',
    items: 'data',
    all: 70,
    item: (sample, number) => ({ ...sample, id: number }),
    page: (asked) => ({ first: Number(asked.get('from') ?? 0), size: 50 }),
    rest: (next, base, size, all) => ({
      meta: { total_results: all, per_page: size, total_pages: 2 },
      links: { next: next === undefined ? null : `${base}?from=${next}` },
    }),
    asked: ['', '?from=50'],
  },
  {
    recipe: 'events-calendar',
    items: 'events',
    all: 70,
    item: (sample, number) => ({ ...sample, id: number }),
    page: (asked) => ({ first: Number(asked.get('from') ?? 0), size: Number(asked.get('per_page')) }),
    rest: (next, base, size, all) => ({
      total: all,
      total_pages: 2,
      ...(next && { next_rest_url: `${base}?from=${next}&per_page=${size}` }),
    }),
    asked: ['?per_page=50', '?from=50&per_page=50'],
  },
  {
    recipe: 'microsoft-graph',
    items: 'value',
    all: 150,
    item: (sample, number) => ({ ...sample, id: String(number) }),
    page: (asked) => ({ first: Number(asked.get('$skip') ?? 0), size: Number(asked.get('$top')) }),
    rest: (next, base, size) => (next === undefined ? {} : { '@odata.nextLink': `${base}?$top=${size}&$skip=${next}` }),
    asked: ['?%24top=100', '?$top=100&$skip=100'],
  },
  {
    recipe: 'scim',
    items: 'Resources',
    all: 201,
    item: (sample, number) => ({ ...sample, id: String(number), userName: `user${number}` }),
    page: (asked) => ({
      first: Math.max(0, Number(asked.get('startIndex') ?? 1) - 1),
      size: Number(asked.get('count')),
    }),
    rest: (_, __, size, all) => ({ totalResults: all, itemsPerPage: size }),
    asked: ['?count=100', '?count=100&startIndex=100', '?count=100&startIndex=200'],
  },
];

test.each(systems)('The sync of $recipe reads all pages', async (system) => {
  const file = join(import.meta.dirname, `../../fixtures/recipes/${system.recipe}.json`);
  const [first] = JSON.parse(readFileSync(file, 'utf8'))[system.items];
  const server: FeedServer = await serve((request, response) => send(request, response, system, first));
  const url = `${server.url}/feed`;
  const sample = { ...(await sampleOf(file)), url, options: {} };
  const sync = syncOf(applyRecipe(recipeNamed(system.recipe, loadRecipes()), sample, bareProposal(sample)), url);
  const { keys, receipt } = await read({ ...sync, source: { ...(sync.source as Item), allowPrivateNetwork: true } });
  expect(server.seen.map((seen) => seen.url)).toEqual(system.asked.map((query) => `/feed${query}`));
  expect(keys.size).toBe(system.all);
  expect(receipt).toMatchObject({ complete: true });
});

function send(request: IncomingMessage, response: ServerResponse, system: System, sample: Item): void {
  const { host } = request.headers;
  const { searchParams, pathname } = new URL(request.url ?? '', `http://${host}`);
  const { first, size } = system.page(searchParams);
  const next = first + size < system.all ? first + size : undefined;
  const length = Math.min(size, system.all - first);
  const items = Array.from({ length }, (_, index) => system.item(sample, first + index + 1));
  const rest = system.rest(next, `http://${host}${pathname}`, size, system.all);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ...rest, [system.items]: items }));
}

async function read(sync: Record<string, unknown>) {
  using dir = temporaryDir();
  mkdirSync(join(dir.path, 'syncs'));
  const target = { baseUrl: 'https://www.example.edu', token: 'token', timezone: 'America/New_York' };
  writeFileSync(join(dir.path, 'feedferry.yaml'), stringify({ target }));
  const window = sync.resource === 'events' ? { window: { from: '2020-01-01', to: '2030-12-31' } } : {};
  writeFileSync(join(dir.path, 'syncs/feed.yaml'), stringify({ ...sync, ...window }));
  const config = loadConfig(dir.path, connectors, {});
  const reading = readSource(config.syncs[0]!, config.target, { signal: new AbortController().signal });
  const keys = new Set<string>();
  for await (const mapped of reading.records)
    keys.add(mapped.is === 'desired' ? mapped.record.key : JSON.stringify(mapped));
  return { keys, receipt: reading.receipt() };
}
