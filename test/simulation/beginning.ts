import type { Settings } from './plan/settings.ts';
import { type Beginning, openSite, syncOn, toEnd } from './site.ts';
import { createChance } from './world/chance.ts';
import { createWorld } from './world/world.ts';

/** What makes no difference to what a first sync leaves. */
const INDIFFERENT = {
  processes: 1,
  oneHost: true,
  queue: 'local',
  concurrency: 4,
  requestsPerSecond: undefined,
  lastPage: 'omit',
  pageSize: 100,
  disaster: undefined,
  undoes: false,
  addsSource: false,
  features: [],
} satisfies Partial<Settings>;

let latest: { name: string; beginning: Promise<Beginning> } | undefined;

/** Returns a site that is in step with its source. It is made by a first sync, the same one for all seeds. */
export async function beginningOf(settings: Settings): Promise<Beginning> {
  const hasTwoSources = settings.hasTwoSources && !settings.addsSource;
  const plain: Settings = { ...settings, ...INDIFFERENT, hasTwoSources };
  // The first of all migrates the database, which takes steps of its own.
  if (!latest) await make(plain);
  const name = JSON.stringify(plain);
  if (latest?.name !== name) latest = { name, beginning: make(plain) };
  return latest.beginning;
}

async function make(settings: Settings): Promise<Beginning> {
  const world = createWorld(createChance(settings.records));
  const site = openSite(world, settings);
  const first = await toEnd(site, 'first sync', syncOn(site, 0));
  if (first?.report?.status !== 'success')
    throw new Error(`The first sync failed:\n${world.story.join('\n')}`, { cause: site.crew.ended.at(0)?.error });
  await toEnd(site, 'exit', (name) => site.crew.exit(0, name));
  return { at: world.now(), ledger: site.database.copy(), cms: site.cms.copy() };
}
