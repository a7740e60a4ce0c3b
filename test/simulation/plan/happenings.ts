import type { Chance } from '../world/chance.ts';
import type { EditorsWork } from '../world/editors.ts';
import type { ImageEdit } from '../world/files.ts';
import type { Habit } from '../world/habits.ts';
import type { QueueTemper } from '../world/queue.ts';
import type { RowsEdit } from '../world/rows.ts';
import type { SourceState } from '../world/source.ts';
import type { Weather } from '../world/weather.ts';
import { type ConfigChanges, type Settings, TAKE_OVER_AFTER_MS, TIMEOUT_MS } from './settings.ts';

/** Something that happens to the world while it is in trouble. Numbers of records and processes wrap around. */
export type Happening = { at: number } & (
  | { what: 'sync'; by: number; of?: 'other' }
  | { what: 'retry'; by: number }
  | ({ what: 'edit' } & RowsEdit)
  | { what: 'image'; does: ImageEdit; record: number }
  | { what: 'files are away'; forMs: number }
  | { what: 'source'; of?: 'other'; state: SourceState; forMs: number }
  | { what: 'kill'; by: number; steps: number; when: 'before' | 'after'; restartAfterMs: number }
  | { what: 'stop'; by: number; forMs: number; asleep: boolean }
  | { what: 'clock'; of: number | 'ledger'; byMs: number }
  | { what: 'weather'; weather: Partial<Weather>; forMs: number }
  | { what: 'queue'; temper: QueueTemper; forMs: number }
  | { what: 'loseQueue' }
  | { what: 'undo'; by: number }
  | { what: 'back up' }
  | { what: 'restore CMS' }
  | { what: 'editor'; does: EditorsWork; item: number }
  | ({ what: 'habit'; forMs: number } & Habit)
  | { what: 'come and go'; record: number | 'last' }
  | { what: 'pass on' | 'share a key'; record: number }
  | { what: 'picture fails'; record: number; forMs: number }
  | { what: 'config'; change: keyof ConfigChanges; forMs: number }
  | { what: 'other source'; adds: number; alike: number }
  | { what: 'move ids'; by: number }
);

/** How long the trouble lasts. */
export const TROUBLE_MS = 60_000;

/** Draws what happens, in order. Most of it happens shortly before or while a sync runs. */
export function drawHappenings(chance: Chance, settings: Settings): Happening[] {
  const happenings: Happening[] = [];
  const syncs = chance.between(2, 4);
  for (let nth = 0; nth < syncs; nth += 1) {
    const at = (TROUBLE_MS * (nth + chance.real())) / syncs;
    const by = chance.below(settings.processes);
    happenings.push({ at, what: 'sync', by });
    happenings.push(drawEdit(chance, settings, Math.max(0, at - 1)));
    if (settings.files) happenings.push(...drawImages(chance, at));
    for (let others = chance.between(0, 3); others > 0; others -= 1) {
      const near = Math.max(0, at + chance.between(-2_000, 3_000));
      happenings.push(drawOther(chance, settings, chance.chance(0.7) ? near : chance.real() * TROUBLE_MS, by));
    }
    if (chance.chance(0.5)) happenings.push({ at: Math.max(0, at - chance.real() * 5_000), ...drawWeather(chance) });
    if (chance.chance(0.4)) happenings.push(drawKill(chance, at, by));
  }
  if (chance.chance(settings.disaster ? 0.7 : 0.2))
    happenings.push({ at: chance.real() * TROUBLE_MS, what: 'back up' });
  if (chance.chance(0.1)) happenings.push({ at: chance.real() * TROUBLE_MS, what: 'restore CMS' });
  return happenings.filter(({ at }) => at < TROUBLE_MS);
}

function drawEdit(chance: Chance, { externalId }: Settings, at: number): Happening {
  const some = (most: number) => Array.from({ length: chance.below(most + 1) }, () => chance.below(1000));
  // Without external ids, it is their titles that say which items are whose.
  const swapped = chance.chance(0.05) && externalId;
  return { at, what: 'edit', changed: some(8), added: chance.below(5), removed: some(2), returned: some(1), swapped };
}

function drawImages(chance: Chance, before: number): Happening[] {
  const happenings: Happening[] = [];
  for (let edits = chance.below(5); edits > 0; edits -= 1) {
    const at = Math.max(0, before + chance.between(-1_000, 500));
    const does = chance.pick(['replace', 'move', 'remove', 'share', 'copy'] as const);
    happenings.push({ at, what: 'image', does, record: chance.below(1000) });
  }
  if (chance.chance(0.2)) {
    const at = Math.max(0, before + chance.between(-2_000, 1_000));
    happenings.push({ at, what: 'files are away', forMs: chance.between(100, 10_000) });
  }
  return happenings;
}

function drawKill(chance: Chance, at: number, by: number): Happening {
  const when = chance.pick(['before', 'after'] as const);
  const restartAfterMs = chance.between(10, 3 * TAKE_OVER_AFTER_MS);
  return { at, what: 'kill', by, steps: chance.between(1, 250), when, restartAfterMs };
}

function drawOther(chance: Chance, settings: Settings, at: number, near: number): Happening {
  const by = chance.chance(0.6) ? near : chance.below(settings.processes);
  const forMs = chance.between(500, 20_000);
  const draw = chance.below(100);
  if (draw < 15) return { at, what: 'sync', by: chance.below(settings.processes) };
  if (draw < 25) return drawEdit(chance, settings, at);
  if (draw < 40) return drawKill(chance, at, by);
  if (draw < 50) {
    const asleep = chance.chance(0.5);
    return { at, what: 'stop', by, forMs: chance.between(100, 8 * TAKE_OVER_AFTER_MS), asleep };
  }
  if (draw < 62) {
    const state = chance.pick(['cut', 'silentCut', 'empty', 'down'] as const);
    // Without a limit, a source that seems whole is believed.
    const isBelieved = state === 'silentCut' && settings.limitPercent === 100;
    return { at, what: 'source', state: isBelieved ? 'cut' : state, forMs };
  }
  if (draw < 80) {
    const does = chance.pick(['note', 'describe', 'delete', 'add'] as const);
    return { at, what: 'editor', does, item: chance.below(1000) };
  }
  if (draw < 87) {
    const temper = { lost: chance.real() / 3, doubled: chance.real() / 2, delayMs: chance.between(0, 5_000) };
    return { at, what: 'queue', temper, forMs };
  }
  if (draw < 90) return { at, what: 'loseQueue' };
  if (draw < 93) return { at, what: 'retry', by };
  if (draw < 96) return { at, what: 'undo', by };
  return { at, what: 'clock', of: chance.pick([by, 'ledger'] as const), byMs: chance.between(-120_000, 120_000) };
}

function drawWeather(chance: Chance) {
  const share = () => chance.pick([0, 0, 0, 0.05, 0.2, 0.6]);
  const emptyLists = chance.chance(0.15);
  const weather: Partial<Weather> = {
    wayMs: chance.pick([5, 50, 500]),
    late: share(),
    // Together with the lag of the lists, less than the time after which a create is looked up.
    latestMs: TIMEOUT_MS * 0.4,
    lostBefore: share(),
    lostAfter: emptyLists ? chance.pick([0.05, 0.2, 0.6]) : share(),
    silent: share(),
    errorBefore: share(),
    errorAfter: share(),
    unfinished: share(),
    html: share(),
    busy: share(),
    emptyLists,
    listLagMs: chance.pick([0, 0, 500, TIMEOUT_MS / 2]),
    twice: share(),
  };
  return { what: 'weather' as const, weather, forMs: chance.between(500, 20_000) };
}
