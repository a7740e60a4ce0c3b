import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { connectors } from '../../../connectors/index.ts';
import { loadRecipes, recipeNamed } from '../../../src/app/drafts/recipes.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { propose } from '../../../src/inference/propose/propose.ts';
import { applyRecipe, recognise } from '../../../src/inference/recipes/apply-recipe.ts';
import { readSource } from '../../../src/source/read-source.ts';
import { temporaryDir } from '../../support/engines.ts';
import { bareProposal, sampleOf, syncOf } from '../../support/recipes.ts';

const folder = join(import.meta.dirname, '../../fixtures/recipes');
const examples = join(import.meta.dirname, '../../../examples/syncs/feeds');
const recipes = loadRecipes();
const fixtures = readdirSync(folder).filter((file) => !file.endsWith('.expected.json'));
/** A feed that only its address tells apart. */
const addresses = new Map([
  ['25live.ics', 'https://25livepub.collegenet.com/calendars/alder-events.ics'],
  ['civicplus.ics', 'https://www.aldertown.example/common/modules/iCalendar/iCalendar.aspx?catID=14&feed=calendar'],
  ['25live.json', 'https://25livepub.collegenet.com/calendars/alder-events.json'],
]);

describe.each(fixtures)('The feed %s', (file) => {
  const path = join(folder, file);
  const recipe = recipeNamed(recipes.map(({ name }) => name).find((name) => file.startsWith(name)) ?? file, recipes);

  test('is recognised, by one recipe', async () => {
    const sample = await sampleOf(path, addresses.get(file));
    const found = recipes.filter((one) => recognise(sample, [one]) !== undefined);
    expect(found.map(({ name }) => name)).toEqual([recipe.name]);
    expect(recognise(sample, recipes)).toBe(recipe);
  });

  test('is mapped as its recipe says', async () => {
    const sample = await sampleOf(path);
    const proposal = applyRecipe(recipe, sample, bareProposal(sample));
    const payloads = await map(syncOf(proposal, path));
    expect(payloads.length).toBeGreaterThan(3);
    await expect(`${JSON.stringify(payloads, null, 2)}\n`).toMatchFileSnapshot(`${path}.expected.json`);
    expect(payloads.filter(({ rejected }) => rejected !== undefined)).toEqual([]);
  });

  test('has the same keys, titles and times with what is inferred', async () => {
    const sample = await sampleOf(path);
    const bare = await map(syncOf(applyRecipe(recipe, sample, bareProposal(sample)), path));
    const { open, ...proposal } = applyRecipe(recipe, sample, propose(sample));
    const whole = await map(syncOf({ ...proposal, open }, path));
    expect(whole.map(coreOf)).toEqual(bare.map(coreOf));
    expect(open).toEqual([]);
  });

  test('has a sync that the config accepts for an address, too', async () => {
    const sample = { ...(await sampleOf(path)), url: 'https://feeds.example.edu/feed' };
    const proposal = applyRecipe(recipe, sample, bareProposal(sample));
    expect(() => load({ ...syncOf(proposal, sample.url) })).not.toThrow();
    const suggested = Object.fromEntries(Object.entries(proposal.suggested).map(([name, { value }]) => [name, value]));
    expect(() => load({ ...syncOf(proposal, sample.url), map: { title: 'x', ...suggested } })).not.toThrow();
  });
});

test('Each kind of feed of each recipe has a sample', () => {
  const kinds = new Map([
    ['.ics', 'ical'],
    ['.json', 'json'],
    ['.csv', 'csv'],
    ['.html', 'jsonld'],
  ]);
  const wanted = recipes.flatMap(({ name, feeds }) => feeds.map(({ connector }) => `${name} ${connector}`));
  const sampled = fixtures.flatMap((file) =>
    recipes.filter(({ name }) => file.startsWith(name)).map(({ name }) => `${name} ${kinds.get(extname(file))}`),
  );
  expect([...new Set(sampled)].toSorted()).toEqual([...new Set(wanted)].toSorted());
});

test.each([
  ['campus-calendar.ics', 'ical'],
  ['museum-events.csv', 'csv'],
  ['staff.json', 'json'],
])('No recipe recognises the example %s', async (file, kind) => {
  const sample = await sampleOf(join(examples, file), undefined, kind);
  expect(recipes.filter((recipe) => recognise(sample, [recipe]) !== undefined)).toEqual([]);
});

/** Loads a sync for a site in New York as the only one of a config. */
function load(sync: Record<string, unknown>) {
  using dir = temporaryDir();
  mkdirSync(join(dir.path, 'syncs'));
  const target = { baseUrl: 'https://www.example.edu', token: 'token', timezone: 'America/New_York' };
  writeFileSync(join(dir.path, 'feedferry.yaml'), stringify({ target }));
  writeFileSync(join(dir.path, 'syncs/feed.yaml'), stringify(sync));
  return loadConfig(dir.path, connectors, {});
}

async function map(sync: Record<string, unknown>) {
  const window = sync.resource === 'events' ? { window: { from: '2027-01-01', to: '2028-12-31' } } : {};
  const { syncs, target } = load({ ...sync, ...window });
  const payloads: Array<Record<string, unknown>> = [];
  for await (const mapped of readSource(syncs[0]!, target, { signal: new AbortController().signal }).records) {
    if (mapped.is === 'desired') {
      const { key, payload, attachments } = mapped.record;
      const warnings = mapped.warnings.map(({ message }) => message);
      payloads.push({
        key,
        payload,
        ...(attachments.length > 0 && { attachments }),
        ...(warnings.length > 0 && { warnings }),
      });
    } else if (mapped.is === 'rejected') payloads.push({ rejected: mapped.rejection.reason });
    else payloads.push({ key: mapped.key, skipped: mapped.reason });
  }
  return payloads;
}

/** What no guess may change. */
function coreOf({ key, payload, skipped, rejected }: Record<string, unknown>) {
  const { title, date, endDate, time, email, firstName, lastName } = (payload ?? {}) as Record<string, unknown>;
  return { key, title, date, endDate, time, email, firstName, lastName, skipped, rejected };
}
