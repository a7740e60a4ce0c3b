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
      if (!crew.commanded.has('undo') && !createsAgain(site)) restoreCms(site);
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
