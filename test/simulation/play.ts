import { beginningOf } from './beginning.ts';
import { checkUndo } from './check-undo.ts';
import { checkItems } from './checks/check-end.ts';
import { checkRuns } from './checks/check-runs.ts';
import type { Finding } from './checks/finding.ts';
import { createWatch } from './checks/watch.ts';
import { convergeAll } from './converge.ts';
import { recover } from './disasters.ts';
import { changeConfig, happen, setSource } from './happen.ts';
import { drawFeatured } from './plan/feature-happenings.ts';
import { drawHappenings, type Happening, TROUBLE_MS } from './plan/happenings.ts';
import { drawSettings, type Settings, TAKE_OVER_AFTER_MS, TIMEOUT_MS } from './plan/settings.ts';
import { openSite, rest, type Site } from './site.ts';
import { createChance } from './world/chance.ts';
import { CALM } from './world/weather.ts';
import { createWorld } from './world/world.ts';

/** Longer than any lease. */
const REST_MS = 8 * TAKE_OVER_AFTER_MS + 2 * TIMEOUT_MS;

/** A simulated run: what was found in it, and what happened. */
export interface Played {
  seed: number;
  settings: Settings;
  happenings: Happening[];
  findings: Finding[];
  story: readonly string[];
  syncRuns: number;
  requests: number;
  /** The states and moves of records that occurred (see record-states.ts). */
  reached: ReadonlySet<string>;
}

/** Plays the run of a seed. @param happenings those to play, in place of those of the seed */
export async function play(seed: number, happenings?: Happening[]): Promise<Played> {
  const { chance, settings, happenings: drawn } = draw(seed);
  const beginning = await beginningOf(settings);
  const world = createWorld(chance.fork(), beginning.at);
  const site = openSite(world, settings, beginning);
  try {
    const findings = await playOn(site, happenings ?? drawn);
    return {
      seed,
      settings,
      happenings: happenings ?? drawn,
      findings,
      story: world.story,
      syncRuns: site.crew.ended.length,
      requests: site.network.log.length,
      reached: site.database.records.reached(),
    };
  } finally {
    for (const machine of site.crew.machines) machine.kill();
  }
}

/** What a seed decides before its run begins. */
export function draw(seed: number) {
  const chance = createChance(seed);
  const settings = drawSettings(seed, chance);
  const ordinary = drawHappenings(chance, settings);
  const happenings = [...ordinary, ...drawFeatured(seed, settings, ordinary)];
  return { chance, settings, happenings: happenings.toSorted((one, other) => one.at - other.at) };
}

/** Trouble, then calm; then a look at what there is. */
async function playOn(site: Site, happenings: readonly Happening[]): Promise<Finding[]> {
  const { world, crew, network, queue, rows, habits } = site;
  const begin = world.now();
  const watch = createWatch({ ...site, log: network.log }, happenings);
  network.watchWith(watch);
  crew.watchWith(site.successes.onEnd);
  for (const happening of happenings) world.at(begin + happening.at, () => happen(happening, site));
  await rest(site, TROUBLE_MS);
  network.setWeather(CALM);
  queue.setTemper({ lost: 0, doubled: 0, delayMs: 0 });
  setSource(site, 'whole');
  site.otherSource.state = 'whole';
  rows.files.away(false);
  rows.files.repairAll();
  habits.endAll();
  for (const machine of crew.machines) machine.killAt(Number.POSITIVE_INFINITY, 'before');
  changeConfig(site, { window: false, resource: false });
  world.tell(() => 'the trouble is over');
  await rest(site, REST_MS);
  await recover(site);
  const unsettled = await convergeAll(site);
  const notUndone = site.settings.undoes && unsettled.length === 0 ? await checkUndo(site) : [];
  const stillClaimed = await endDeliveries(site);
  return [
    ...watch.findings,
    ...site.successes.findings,
    ...site.uploads.findings,
    ...site.database.records.findings(),
    ...unsettled,
    ...notUndone,
    ...stillClaimed,
    ...checkItems(site),
    ...checkRuns(site, crew.ended, happenings),
  ];
}

/** No run waits for a create in doubt whose record has left the source: its look-up may still be under way. */
async function endDeliveries({ world, database }: Site): Promise<Finding[]> {
  const claims = database.liveClaims();
  const isOver = () => !database.isAnyLeft(claims) && database.liveClaims().length === 0;
  const haveEnded = await world.runUntil(isOver, REST_MS);
  return haveEnded ? [] : [{ is: 'unsettled', what: 'records are still claimed' }];
}
