import { pino } from 'pino';
import type { RunReport } from '../../src/core/run.ts';
import { approveRun } from '../../src/sync/runs/approve-run.ts';
import { retryRun } from '../../src/sync/runs/retry-run.ts';
import { syncRun } from '../../src/sync/runs/sync-run.ts';
import { checkItems } from './checks/check-end.ts';
import { checkRuns } from './checks/check-runs.ts';
import type { Finding } from './checks/finding.ts';
import { createWatch } from './checks/watch.ts';
import { createCrew } from './crew.ts';
import { drawHappenings, type Happening, TROUBLE_MS } from './plan/happenings.ts';
import { configOf, drawSettings, type Settings, switchesOf, TAKE_OVER_AFTER_MS, TIMEOUT_MS } from './plan/settings.ts';
import { createChance } from './world/chance.ts';
import { createSimulatedCms } from './world/cms.ts';
import { createDatabase } from './world/database.ts';
import { createEditors } from './world/editors.ts';
import { itemsOf } from './world/items.ts';
import { BEGINNING } from './world/machine.ts';
import { CALM, createNetwork } from './world/network.ts';
import { createSharedQueue } from './world/queue.ts';
import { createRows } from './world/rows.ts';
import type { SourceState } from './world/source.ts';
import { createWorld } from './world/world.ts';

const log = pino({ level: 'silent' });
/** Longer than any lease. */
const REST_MS = 8 * TAKE_OVER_AFTER_MS + 2 * TIMEOUT_MS;
const LONGEST_MS = 3_600_000;
const MOST_RUNS = 8;

/** A simulated run: what was found in it, and what happened. */
export interface Played {
  seed: number;
  settings: Settings;
  happenings: Happening[];
  findings: Finding[];
  story: readonly string[];
  syncRuns: number;
  requests: number;
}

let ready: Promise<unknown> | undefined;

/** Plays the run of a seed. @param happenings those to play, in place of those of the seed */
export async function play(seed: number, happenings?: Happening[]): Promise<Played> {
  // The first run of all migrates the database and loads modules, which takes steps of its own.
  ready ??= playNow(0);
  await ready;
  return playNow(seed, happenings);
}

async function playNow(seed: number, happenings?: Happening[]): Promise<Played> {
  const chance = createChance(seed);
  const settings = drawSettings(chance);
  const drawn = drawHappenings(chance, settings);
  const world = createWorld(chance.fork());
  const site = openSite(world, settings);
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
    };
  } finally {
    for (const machine of site.crew.machines) machine.kill();
    site.cms.close();
  }
}

type Site = ReturnType<typeof openSite>;

function openSite(world: ReturnType<typeof createWorld>, settings: Settings) {
  let ledgerAheadMs = 0;
  const clock = () => BEGINNING + world.now();
  const database = createDatabase(world, () => clock() + ledgerAheadMs);
  const cms = createSimulatedCms(switchesOf(settings), clock);
  const network = createNetwork(world, () => cms);
  const queue = createSharedQueue(world);
  const rows = createRows(settings.records);
  const editors = createEditors(() => cms, world);
  const source: { state: SourceState } = { state: 'whole' };
  const surroundings = {
    config: configOf(settings),
    database,
    network,
    ...(settings.queue === 'shared' && { queueOf: queue.queueOf }),
    sourceOf: () => ({ rows: rows.rows(), state: source.state }),
    takeOverAfterMs: TAKE_OVER_AFTER_MS,
    log,
  };
  const rates = Array.from({ length: settings.processes }, () => 1 + (world.chance.real() - 0.5) / 500);
  const crew = createCrew(world, surroundings, { ...settings, rates });
  const setLedgerClock = (byMs: number) => {
    ledgerAheadMs += byMs;
  };
  return { world, settings, database, cms, network, queue, rows, editors, source, crew, setLedgerClock };
}

/** Calm, trouble, calm again; then a look at what there is. */
async function playOn(site: Site, happenings: readonly Happening[]): Promise<Finding[]> {
  const { world, crew, network, source, queue } = site;
  const first = await toEnd(site, 'first sync', syncOn(site, 0));
  if (!first) return [{ is: 'broken', what: 'the first sync did not end' }];
  const begin = world.now();
  const watch = createWatch({ ...site, log: network.log }, happenings);
  network.watchWith(watch);
  for (const happening of happenings) world.at(begin + happening.at, () => happen(happening, site));
  await world.runUntil(() => world.now() >= begin + TROUBLE_MS, TROUBLE_MS);
  network.setWeather(CALM);
  queue.setTemper({ lost: 0, doubled: 0, delayMs: 0 });
  source.state = 'whole';
  for (const machine of crew.machines) machine.killAt(Number.POSITIVE_INFINITY, 'before');
  world.tell(() => 'the trouble is over');
  const restedAt = world.now() + REST_MS;
  world.at(restedAt, () => {});
  await world.runUntil(() => world.now() >= restedAt, REST_MS + 1);
  const findings = await converge(site);
  return [
    ...watch.findings,
    ...findings,
    ...checkItems(itemsOf(site.cms), site.rows, site.editors, site.settings),
    ...checkRuns(site.database, crew.ended),
  ];
}

/** Syncs until two runs in a row were successes, as an operator would. */
async function converge(site: Site): Promise<Finding[]> {
  let successes = 0;
  const reports: Array<RunReport | undefined> = [];
  for (let runs = 0; runs < MOST_RUNS && successes < 3; runs += 1) {
    const ended = await toEnd(site, `run ${runs + 1} of the end`, syncOn(site, runs));
    if (!ended) return [{ is: 'broken', what: `run ${runs + 1} of the end never ended` }];
    const { report } = ended;
    reports.push(report);
    successes = report?.status === 'success' ? successes + 1 : 0;
    if (report?.status === 'held') {
      await toEnd(site, 'approval', (name) =>
        site.crew.command(runs, name, (_, context) => approveRun(report.run, context)),
      );
    }
  }
  if (successes > 0) return [];
  const last = reports.at(-1);
  return [
    {
      is: 'unsettled',
      what: `after ${MOST_RUNS} runs the last one is ${last?.status}: ${JSON.stringify(last?.problems ?? last?.error)}`,
    },
  ];
}

function syncOn({ crew }: Site, by: number) {
  return (name: string) => crew.command(by, name, (_, context) => syncRun(context));
}

/** Runs a command to its end; undefined if it has none. */
async function toEnd({ world, crew }: Site, name: string, begin: (name: string) => Promise<void>) {
  const before = crew.ended.length;
  void begin(name);
  const isEnded = () => crew.ended.slice(before).some(({ command }) => command === name);
  await world.runUntil(isEnded, LONGEST_MS);
  return crew.ended.slice(before).find(({ command }) => command === name);
}

function happen(happening: Happening, site: Site): void {
  const { world, crew, network, queue, rows, editors, source } = site;
  world.tell(() => JSON.stringify({ ...happening, at: undefined }));
  switch (happening.what) {
    case 'sync':
      void syncOn(site, happening.by)('sync');
      return;
    case 'retry':
      void crew.command(happening.by, 'retry', (_, context) => retryRun(undefined, context));
      return;
    case 'edit':
      rows.edit(happening);
      return;
    case 'source':
      source.state = happening.state;
      world.in(happening.forMs, () => {
        source.state = 'whole';
      });
      return;
    case 'kill':
      crew.machineOf(happening.by)?.killAt(happening.steps, happening.when);
      world.in(happening.restartAfterMs, () => {
        if (!crew.machineOf(happening.by)) void crew.start(happening.by).then((ferry) => ferry.work());
      });
      return;
    case 'stop':
      crew.machineOf(happening.by)?.stop(happening.forMs, happening);
      return;
    case 'clock':
      if (happening.of === 'ledger') site.setLedgerClock(happening.byMs);
      else crew.machineOf(happening.of)?.setClock(happening.byMs);
      return;
    case 'weather':
      network.setWeather({ ...CALM, ...happening.weather });
      world.in(happening.forMs, () => network.setWeather(CALM));
      return;
    case 'queue':
      queue.setTemper(happening.temper);
      return;
    case 'loseQueue':
      queue.lose();
      return;
    case 'editor':
      editors.work(happening.does, happening.item);
      return;
  }
}
