import type { RunReport } from '../../src/core/run.ts';
import type { RunContext } from '../../src/sync/context/run-context.ts';
import { retryRun } from '../../src/sync/runs/retry-run.ts';
import { undoRun } from '../../src/sync/undo/undo-run.ts';
import { backUp, restoreCms } from './disasters.ts';
import type { Happening } from './plan/happenings.ts';
import { type Site, syncOn } from './site.ts';
import type { Item } from './world/items.ts';
import { CALM } from './world/weather.ts';

/** Lets something happen. */
export function happen(happening: Happening, site: Site): void {
  const { world, crew, network, queue, rows, editors, source } = site;
  world.tell(() => JSON.stringify({ ...happening, at: undefined }));
  switch (happening.what) {
    case 'sync':
      void syncOn(site, happening.by)('sync');
      return;
    case 'retry':
      void crew.command(happening.by, 'retry', (context) => retryRun(undefined, context));
      return;
    case 'undo':
      // It would create again what a CMS that was restored has again; and what it has deleted would be there again.
      if (!site.disasters.has('CMS is older')) void crew.command(happening.by, 'undo', undoLast);
      return;
    case 'back up':
      backUp(site);
      return;
    case 'restore CMS':
      if (!site.database.hasUndone() && !hasRecreated(site)) restoreCms(site);
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
      source.state = happening.state;
      world.in(happening.forMs, () => {
        source.state = 'whole';
      });
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
  }
}

/**
 * Whether a record may be created another time because its item has gone, and was before: to find the first item in a CMS that
 * was restored, on a day of long ago, takes the list of all days.
 */
function hasRecreated({ network, resource, settings }: Site): boolean {
  if (settings.onDeletedInCms !== 'recreate') return false;
  const names = network.log.flatMap(({ method, path, body }) =>
    method === 'POST' && path.endsWith(resource.path) ? [String((body as Item | undefined)?.[resource.name])] : [],
  );
  return names.some((name, nth) => names.indexOf(name) < nth || Number(/\d+/.exec(name)) <= settings.records);
}

/** Undoes the last run that has changed something, as `undo --last` does. */
async function undoLast(context: RunContext): Promise<RunReport | undefined> {
  const { ledger, sync } = context;
  const last = await ledger.runs.lastChanging(sync.name);
  return last && undoRun(last.run, context);
}
