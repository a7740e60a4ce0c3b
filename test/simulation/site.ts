import { pino } from 'pino';
import { approveRun } from '../../src/sync/runs/approve-run.ts';
import { retryRun } from '../../src/sync/runs/retry-run.ts';
import { syncRun } from '../../src/sync/runs/sync-run.ts';
import { createSuccessWatch } from './checks/check-success.ts';
import { createUploadWatch } from './checks/check-uploads.ts';
import { type CommandOptions, createCrew, type Ended } from './crew.ts';
import { RESOURCES } from './plan/resources.ts';
import {
  configOf,
  keyOf,
  NO_CHANGES,
  OTHER_FIRST,
  OTHER_SOURCE,
  OTHER_SYNC,
  otherKeyOf,
  type Settings,
  switchesOf,
  TAKE_OVER_AFTER_MS,
} from './plan/settings.ts';
import { type CmsCopy, createSimulatedCms } from './world/cms.ts';
import { createDatabase, type LedgerCopy } from './world/database.ts';
import { createEditors } from './world/editors.ts';
import { createHabits } from './world/habits.ts';
import { BEGINNING } from './world/machine.ts';
import { createNetwork } from './world/network.ts';
import { createSharedQueue } from './world/queue.ts';
import { createRows, type Rows } from './world/rows.ts';
import { type SourceState, shownRows } from './world/source.ts';
import type { World } from './world/world.ts';

const log = pino({ level: 'silent' });
const LONGEST_MS = 3_600_000;

/** What an operator has to repair. */
export type Disaster = 'CMS is older' | 'ids have moved' | NonNullable<Settings['disaster']>;

/** What there is when a simulated run begins. */
export interface Beginning {
  /** When, in ms of the world. */
  at: number;
  ledger: LedgerCopy;
  cms: CmsCopy;
}

/** All that a simulated run consists of. One at a time: there is one ledger and one CMS in a process. */
export type Site = ReturnType<typeof openSite>;

/** @param beginning what ledger and CMS have; default: nothing */
export function openSite(world: World, settings: Settings, beginning?: Beginning) {
  const resource = RESOURCES[settings.resource];
  let ledgerAheadMs = 0;
  const clock = () => BEGINNING + world.now();
  const database = createDatabase(world, () => clock() + ledgerAheadMs);
  const cms = createSimulatedCms(switchesOf(settings), clock, settings.resource, {
    storesByName: settings.features.includes('uploads stored by name'),
  });
  if (beginning) {
    database.restore(beginning.ledger);
    cms.restore(beginning.cms);
  }
  const queue = createSharedQueue(world);
  const uploads = createUploadWatch(database);
  const hasImages = settings.files;
  const rows = createRows(settings.records, resource, {
    hasImages,
    haveSameNames: settings.features.includes('uploads stored by name'),
    keyOf: (number) => keyOf(settings, number),
    now: world.now,
  });
  const other = createRows(0, resource, { first: OTHER_FIRST, hasImages: false, keyOf: otherKeyOf, now: world.now });
  const editors = createEditors(() => cms, world, resource, database.isKnown);
  const habits = createHabits(() => cms, resource, editors);
  const network = createNetwork(world, () => cms, habits);
  const backup = { ledger: database.copy(), cms: cms.copy(), editors: editors.copy(), lacked: rows.copyLacked() };
  const source: { state: SourceState; wholeSince: number } = { state: 'whole', wholeSince: 0 };
  /** The other source of a sync that has two. */
  const otherSource: { state: SourceState } = { state: 'whole' };
  const changes = { ...NO_CHANGES };
  /** When the items of the CMS last became others: it gave them other ids, or was restored. */
  const moved = { at: -1 };
  const surroundings = {
    configOf: (options?: { adopt?: boolean }) => configOf(settings, { ...options, changes }),
    database,
    network,
    ...(settings.queue === 'shared' && { queueOf: queue.queueOf }),
    files: { files: rows.files, onRead: uploads.onRead },
    sourceOf: ({ name }: { name: string }, of?: string) => {
      if (of === OTHER_SOURCE) return reading(other, otherSource.state);
      return name === OTHER_SYNC ? reading(other, 'whole') : reading(rows, source.state);
    },
    takeOverAfterMs: TAKE_OVER_AFTER_MS,
    log,
  };
  const rates = Array.from({ length: settings.processes }, () => 1 + (world.chance.real() - 0.5) / 500);
  const crew = createCrew(world, surroundings, { ...settings, rates });
  const setLedgerClock = (byMs: number) => {
    ledgerAheadMs += byMs;
  };
  const disasters = new Set<Disaster>();
  const parts = {
    world,
    settings,
    resource,
    database,
    cms,
    network,
    queue,
    uploads,
    rows,
    other,
    editors,
    habits,
    source,
    otherSource,
  };
  const successes = createSuccessWatch({ ...parts, changes, disasters });
  return { ...parts, successes, changes, moved, crew, backup, disasters, setLedgerClock };
}

/** What a reading shows now. */
function reading(rows: Rows, state: SourceState) {
  if (state !== 'cut' && state !== 'down') rows.noteReading(shownRows(rows.rows(), state));
  return { rows: rows.rows(), state };
}

/** How long to wait if another run is under way. */
export const BUSY_FOR_MS = 30_000;

/** Lets a process run the sync. */
export function syncOn({ crew }: Site, by: number, options?: CommandOptions) {
  return (name: string) => crew.command(by, name, (context) => syncRun(context), options);
}

/** Lets a process try again what was not delivered. */
export function retryOn({ crew }: Site, by: number, options?: CommandOptions) {
  return (name: string) => crew.command(by, name, (context) => retryRun(undefined, context), options);
}

/** Lets a process apply the plan of a run that is held. */
export function approveOn({ crew }: Site, by: number, run: string, options?: CommandOptions) {
  return (name: string) => crew.command(by, name, (context) => approveRun(run, context), options);
}

/** Runs a command to its end; undefined if it has none. */
export async function toEnd(
  { world, crew }: Site,
  name: string,
  begin: (name: string) => Promise<void>,
): Promise<Ended | undefined> {
  const before = crew.ended.length;
  void begin(name);
  const find = () => crew.ended.find(({ command }, nth) => nth >= before && command === name);
  await world.runUntil(() => find() !== undefined, LONGEST_MS);
  return find();
}

/** Lets time pass. */
export async function rest({ world }: Site, ms: number): Promise<void> {
  const end = world.now() + ms;
  world.at(end, () => {});
  await world.runUntil(() => world.now() >= end, ms + 1);
}
