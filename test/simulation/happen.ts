import type { RunReport } from '../../src/core/run.ts';
import type { RunContext } from '../../src/sync/context/run-context.ts';
import { undoRun } from '../../src/sync/undo/undo-run.ts';
import { backUp, restoreCms } from './disasters.ts';
import type { Happening } from './plan/happenings.ts';
import { type ConfigChanges, hasOtherSync, OTHER_SYNC, SYNC } from './plan/settings.ts';
import { retryOn, type Site, syncOn } from './site.ts';
import type { Item } from './world/items.ts';
import type { SourceState } from './world/source.ts';
import { CALM } from './world/weather.ts';

const COPIES = ['copies with the external id', 'copies of hidden items'] as const;

/** Lets something happen. */
export function happen(happening: Happening, site: Site): void {
  const { world, crew, network, queue, rows, editors, habits } = site;
  world.tell(() => JSON.stringify({ ...happening, at: undefined }));
  switch (happening.what) {
    case 'sync':
      if (happening.of === 'other') void syncOn(site, happening.by, { sync: OTHER_SYNC })('sync of the fair');
      else void syncOn(site, happening.by)('sync');
      return;
    case 'retry':
      void retryOn(site, happening.by)('retry');
      return;
    case 'undo':
      // It would create again what a CMS that was restored has again; and what it has deleted would be there again.
      // If it undoes that an event of two sources is published once, that is a person's word.
      if (!site.disasters.has('CMS is older') && !site.settings.hasTwoSources)
        void crew.command(happening.by, 'undo', undoLast);
      return;
    case 'back up':
      backUp(site);
      return;
    case 'restore CMS':
      if (mayRestore(site)) restoreCms(site);
      return;
    case 'edit':
      rows.edit(happening);
      return;
    case 'image':
      rows.changeImage(happening.does, happening.record);
      return;
    case 'files are away':
      rows.files.away(true);
      world.in(happening.forMs, () => rows.files.away(false));
      return;
    case 'source':
      if (happening.of === 'other') {
        site.otherSource.state = happening.state;
        world.in(happening.forMs, () => {
          site.otherSource.state = 'whole';
        });
        return;
      }
      setSource(site, happening.state);
      world.in(happening.forMs, () => setSource(site, 'whole'));
      return;
    case 'kill':
      crew.machineOf(happening.by)?.killAt(happening.steps, happening.when);
      world.in(happening.restartAfterMs, () => {
        if (!crew.machineOf(happening.by))
          crew.start(happening.by).then(
            ({ work }) => work(),
            () => {},
          );
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
    case 'habit':
      habits.begin(happening);
      world.in(happening.forMs, () => habits.end(happening));
      return;
    case 'come and go':
      comeAndGo(happening.record, site);
      return;
    case 'pass on':
      rows.passOn(happening.record);
      return;
    case 'share a key':
      rows.shareKey(happening.record);
      return;
    case 'picture fails':
      failPicture(happening, site);
      return;
    case 'config':
      // A sync without items may get another resource: that is no mistake.
      if (happening.change === 'resource' && !site.database.mayHaveItems(SYNC)) return;
      changeConfig(site, { [happening.change]: true });
      if (happening.change === 'window' || happening.change === 'resource') {
        world.in(happening.forMs, () => changeConfig(site, { [happening.change]: false }));
      }
      return;
    case 'other source':
      addOther(happening, site);
      return;
    case 'move ids':
      // A backup has the ids from before.
      if (site.disasters.size === 0) moveIds(site, happening.by);
      return;
  }
}

export function setSource({ source, world }: Site, state: SourceState): void {
  source.state = state;
  source.wholeSince = state === 'whole' ? world.now() : Number.POSITIVE_INFINITY;
}

/** Processes that are running know the config from before: they are ended, and started again when they are needed. */
export function changeConfig({ changes, crew }: Site, change: Partial<ConfigChanges>): void {
  if (Object.entries(change).every(([name, value]) => changes[name as keyof ConfigChanges] === value)) return;
  Object.assign(changes, change);
  for (const machine of crew.machines) machine.kill();
}

/** Records of another sync are not recovered; a backup has the ids from before; of an item and its copy, a person has to choose. */
function mayRestore(site: Site): boolean {
  const { crew, disasters, settings } = site;
  const isClear = !COPIES.some((name) => settings.features.includes(name));
  const isPossible = isClear && !disasters.has('ids have moved') && !hasOtherSync(settings) && !settings.hasTwoSources;
  return isPossible && !crew.commanded.has('undo') && !createsAgain(site);
}

function comeAndGo(record: number | 'last', { rows, settings }: Site): void {
  rows.comeAndGo(record === 'last' ? rows.lastNumber() : 1 + (record % settings.records));
}

function failPicture({ record, forMs }: { record: number; forMs: number }, { rows, world }: Site): void {
  const location = rows.imageOf(record);
  if (location === undefined) return;
  rows.files.fail(location, true);
  world.in(forMs, () => rows.files.fail(location, false));
}

function addOther({ adds, alike }: { adds: number; alike: number }, site: Site): void {
  const { rows, other, settings } = site;
  if (settings.addsSource) changeConfig(site, { secondSource: true });
  other.edit({ changed: [], added: adds, removed: [], returned: [], swapped: false });
  for (const [nth, row] of rows.repeat(alike).entries()) other.addLike(row, `again${nth}`);
}

function moveIds({ cms, editors, network, disasters, moved, world }: Site, by: number): void {
  moved.at = world.now();
  cms.moveIds(by);
  editors.followIds(by);
  network.stopLying();
  disasters.add('ids have moved');
}

/**
 * Whether a record that the CMS has had before is created again, or may be. Nothing knows of its first item then, if the CMS that
 * is restored has it again: its list was read before, and another list, of all days, would take too long.
 */
function createsAgain({ network, database, resource, settings }: Site): boolean {
  const numberOf = (text: unknown) => Number(/\d+/.exec(String(text)));
  const created = network.log.flatMap(({ method, path, body }) =>
    method === 'POST' && path.endsWith(resource.path) ? [numberOf((body as Item | undefined)?.[resource.name])] : [],
  );
  const hasDeleted = network.log.some(({ method }) => method === 'DELETE');
  const wasThere = (number: number) => number <= settings.records || (hasDeleted && created.includes(number));
  const hasRecreated = created.some((number, nth) => number <= settings.records || created.indexOf(number) < nth);
  return (
    (settings.onDeletedInCms === 'recreate' && hasRecreated) || database.keysToCreate().map(numberOf).some(wasThere)
  );
}

/** Undoes the last run that has changed something, as `undo --last` does. */
async function undoLast(context: RunContext): Promise<RunReport | undefined> {
  const { ledger, sync } = context;
  const last = await ledger.runs.lastChanging(sync.name);
  return last && undoRun(last.run, context);
}
